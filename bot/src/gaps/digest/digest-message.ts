/** The digest as a message; pure. */
import type { ActionsBlock, Button, KnownBlock } from "@slack/types";
import { section } from "../../ask/block-kit.ts";
import { button } from "../../slack/render/answer-actions.ts";
import { inOwnDirection, mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { context } from "../../slack/render/text-blocks.ts";
import { bothSay } from "../changes/both-say.ts";
import { cutLine, linkTo, retireButton } from "../still-true/still-message.ts";
import type { NoServerList } from "../book/book-question.ts";
import type { DigestFacts } from "./digest-facts.ts";
import type { Rows } from "./digest-rows.ts";

/** `action_id`s of its buttons; values are a gap, a doubt, or what two documents are known by. */
export const DIGEST_ACTIONS = {
  ask: "digest_ask",
  dismiss: "digest_dismiss",
  again: "digest_again",
  retire: "digest_retire",
  changed: "digest_changed",
  open: "digest_open",
} as const;

const MAX_WORDS = 200;

/** Its text and blocks: with every part full one below the fifty of a message. */
export function digestMessage(facts: DigestFacts): { readonly text: string; readonly blocks: KnownBlock[] } {
  const { gaps, closed, doubted, changed, asked, tests } = facts;
  const unknown = unknownLines(facts);
  const blocks: KnownBlock[] = [
    { type: "header", text: { type: "plain_text", text: "This week in what people ask" } },
    ...part("Asked, and nobody has written it down", gaps, (row) => [section(gapLine(row)), rowOf(gapButtons(row))]),
    ...part("Answered since, and kept", closed, (row) => [
      withLink(linkTo(row.title, undefined, "An answer"), row.permalink),
    ]),
    ...part("Kept answers that may not hold any more", doubted, ({ doubt, title, permalink }) => [
      section(`${linkTo(title, permalink, "A kept answer")}\n${WHY[doubt.reason]}`),
      rowOf([button("Ask owner again", DIGEST_ACTIONS.again, doubt.id), retireButton(DIGEST_ACTIONS.retire, doubt.id)]),
    ]),
    ...part("Kept answers a newer document may change", changed, ({ ref, kept, newer }) => [
      { ...section(bothSay(kept, newer)), accessory: button("Ask its owner", DIGEST_ACTIONS.changed, ref) },
    ]),
    ...part("Asked most", asked, ({ words, people, permalink }) => [
      withLink(`${line(words)} — ${counted(people, "person", "people")}`, permalink),
    ]),
    ...(tests === undefined ? [] : testsPart(tests)),
    ...(unknown.length === 0 ? [] : [context([unknown.join("\n")])]),
  ];
  return { text: "This week in what people ask", blocks };
}

const WHY = {
  contradicted: "A newer document says something else.",
  bad_mark: "An answer made from it was marked as not helpful.",
  age: "It is old, and its owner has not said that it still holds.",
} as const;

/** What could not be looked at, so that nobody takes a short digest for a quiet week. */
export function unknownLines({ unknown: { elsewhere, contradictions } }: Pick<DigestFacts, "unknown">): string[] {
  const lines = elsewhere === undefined ? [] : [notCounted(elsewhere)];
  return contradictions ? [...lines, NOT_COMPARED] : lines;
}

/** Of a list that is of what the bot knows itself: what is not in it, and why. */
export const notCounted = (without: NoServerList): string => ELSEWHERE[without];

const ELSEWHERE = {
  missing:
    "Counted is what was asked here. This knowledge server keeps no list of questions, so what nobody could answer in the browser or the terminal is not known.",
  forbidden:
    "Counted is what was asked here. THREADLORE_INGEST_KEY may not read the knowledge server’s list of questions, so what nobody could answer in the browser or the terminal is not known.",
} as const;
const NOT_COMPARED =
  "This knowledge server does not compare documents: whether a newer one contradicts a kept answer is not known. Kept answers stand here for their age and for bad marks alone.";

function part<Row>(title: string, { rows, more }: Rows<Row>, show: (row: Row) => KnownBlock[]): KnownBlock[] {
  if (rows.length === 0) return [];
  return [section(`*${title}*`), ...rows.flatMap(show), ...besides(more)];
}

const besides = (more: number): KnownBlock[] => (more === 0 ? [] : [context([`and ${more} more`])]);

/** There is nothing to press below any of them: one block has them all. */
function testsPart({ failed, causes: { rows, more } }: NonNullable<DigestFacts["tests"]>): KnownBlock[] {
  const title = `*${counted(failed, "answer test", "answer tests")} failed*`;
  const lines = rows.map((words) => `• ${inOwnDirection(cutLine(words))}`);
  return [section([title, ...lines].join("\n")), ...besides(more)];
}

function gapLine({ words, people }: DigestFacts["gaps"]["rows"][number]): string {
  if (words === undefined) return `_${counted(people, "person", "people")} asked privately_`;
  return `${line(words)} — ${counted(people, "person waits", "people wait")}`;
}

function gapButtons({ gap, canBeAsked }: DigestFacts["gaps"]["rows"][number]): Button[] {
  const ask: Button = { ...button("Ask somebody", DIGEST_ACTIONS.ask, gap), style: "primary" };
  return [...(canBeAsked ? [ask] : []), button("Not for us", DIGEST_ACTIONS.dismiss, gap)];
}

const rowOf = (elements: Button[]): ActionsBlock => ({ type: "actions", elements });

function withLink(text: string, permalink: string | undefined): KnownBlock {
  if (permalink === undefined) return section(text);
  return { ...section(text), accessory: { ...button("Open", DIGEST_ACTIONS.open, "open"), url: permalink } };
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const line = (words: string): string =>
  inOwnDirection(mrkdwnText(shortened(words.replace(/\s+/g, " ").trim(), MAX_WORDS)));
