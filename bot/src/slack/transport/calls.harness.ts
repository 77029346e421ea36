/** Every call the renderings of an answer can end in, and what is wrong with them in the eyes of the chat workspace. */
import { markupIn, policyOf, refusalsOf } from "@threadlore/chat-workspace";
import type { Answer, Links } from "@threadlore/ask";
import { allowedLinks, linksOf } from "@threadlore/ask";
import { answerMessages, plainMessages } from "../layout/answer-messages.ts";
import { failureMessage, publicWords } from "../../ask/answer-view.ts";
import { actionRow } from "../render/answer-actions.ts";
import { mrkdwnPieces } from "../render/mrkdwn.ts";
import { PieceFlow } from "../render/piece-flow.ts";
import { pieceText, piecesOf, toSlackMarkdown } from "../render/pieces.ts";
import { planTitle, taskCards } from "../render/task-cards.ts";

const TS = "1700000000.000100";

/** Blocks as one text of classic mrkdwn. */
export const toMrkdwn = (blocks: Answer["blocks"], links: Links): string =>
  mrkdwnPieces(blocks, links).map(pieceText).join("").trimEnd();

interface Call {
  readonly method: string;
  readonly args: Record<string, unknown>;
}

/** The calls a finished answer, and the stream of one, are sent with. */
export function callsOf(answer: Answer, links: Links = linksOf(answer)): readonly Call[] {
  const post = (message: object): Call => ({
    method: "chat.postMessage",
    args: { channel: "C1", unfurl_links: false, unfurl_media: false, ...message },
  });
  const append = (chunks: readonly object[]): Call => ({
    method: "chat.appendStream",
    args: { channel: "C1", ts: TS, chunks },
  });
  const { pieces } = new PieceFlow().end(answer, links);
  return [
    ...answerMessages(answer, links, actionRow("r1", ["votes", "regenerate", "human", "more"])).map(post),
    ...plainMessages(answer, links).map(post),
    ...(answer.failure === undefined ? [] : [post(failureMessage("R-1", publicWords(answer)))]),
    ...pieces.map((piece) =>
      append(
        piece.kind === "table"
          ? [{ type: "blocks", blocks: [piece.block] }]
          : [{ type: "markdown_text", text: pieceText(piece).slice(0, 12_000) }],
      ),
    ),
    append([{ type: "plan_update", title: planTitle(answer, "Read the question") }]),
    ...taskCards(answer).map((card) => append([{ type: "task_update", ...card }])),
    { method: "markdown", args: { markdown_text: toSlackMarkdown(answer.blocks, links) } },
    { method: "mrkdwn", args: { text: toMrkdwn(answer.blocks, links) } },
  ];
}

/** As `faultsOf`, of the answer's text alone, in both markups and with its tables: quick enough for very many. */
export function textFaultsOf(answer: Answer): string[] {
  const links = linksOf(answer);
  const pieces = piecesOf(answer.blocks, links);
  const args = {
    text: toMrkdwn(answer.blocks, links),
    markdown_text: pieces.map(pieceText).join(""),
    blocks: pieces.flatMap((piece) => (piece.kind === "table" ? [piece.block] : [])),
  };
  return markupFaults(args, allowedOf(answer));
}

const allowedOf = (answer: Answer): ReadonlySet<string> => new Set([...allowedLinks(answer.sources)].map(comparable));

function markupFaults(args: Record<string, unknown>, allowed: ReadonlySet<string>): string[] {
  const found = markupIn(args);
  return [
    ...found.mentions.map((id) => `mentions ${id}`),
    ...found.broadcasts.map((range) => `calls ${range}`),
    ...found.links.filter(({ url }) => !allowed.has(comparable(url))).map(({ url }) => `links to ${url}`),
    ...stringsOf(args)
      .filter((text) => /<[!@#]/.test(text))
      .map((text) => `control in ${text}`),
  ];
}

/** Everything wrong with what would be sent for an answer; empty when nothing is. */
export function faultsOf(answer: Answer, links: Links = linksOf(answer)): string[] {
  const allowed = allowedOf(answer);
  return callsOf(answer, links).flatMap(({ method, args }) =>
    [
      ...(method.startsWith("chat.")
        ? refusalsOf(method, args).map((one) => `refused: ${one.words} ${one.pointer}`)
        : []),
      ...policyOf(method, args).map((one) => `${one.rule}: ${one.words}`),
      ...markupFaults(args, allowed),
    ].map((words) => `${method}: ${words}`),
  );
}

/** An address without the differences that markup makes to it. */
function comparable(url: string): string {
  const plain = url.replaceAll("&amp;", "&");
  return plain.replace(/%(28|29|2A|7C|7E|3C|3E|5B|5D|60|5C|22)/gi, (code) => decodeURIComponent(code));
}

/** Every string in a value. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}
