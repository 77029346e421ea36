import { refusalsOf } from "@threadlore/chat-workspace";
import { type Answer, emptyAnswer, linksOf, reduce } from "@threadlore/ask";
import type { Packet } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import { answerOf, snapshotsOf } from "../../testing/answers.ts";
import { CLOSEST, CONFLICT, JAPANESE, SUMMARY } from "../../testing/findings.ts";
import { answerMessages, plainMessages } from "../layout/answer-messages.ts";
import { stringsOf } from "../transport/calls.harness.ts";
import { closingBlocks, closingLines } from "./blocks.ts";
import { notificationText } from "./notification.ts";
import { PieceFlow } from "./piece-flow.ts";
import { type Piece, pieceText, piecesOf, toSlackMarkdown } from "./pieces.ts";

const linked = (answer: Answer) => linksOf(answer);
const asidesOf = (answer: Answer) =>
  piecesOf(answer.blocks, linked(answer)).flatMap((piece) => (piece.kind === "aside" ? [piece] : []));

describe("an aside of an answer", () => {
  it("names the closest documents quietly, as links, and not as sources", () => {
    const answer = answerOf(CLOSEST);
    const [aside, ...more] = asidesOf(answer);
    expect(more).toEqual([]);
    expect(aside?.block).toEqual({
      type: "context",
      elements: [
        {
          type: "mrkdwn",
          text: "• <https://handbook.example/travel|Travel and expenses>: Book trains in second class; flights need the approval of your lead.\n• <https://handbook.example/leave|Leave policy>: You have 30 days of leave a year.",
          verbatim: true,
        },
      ],
    });
    const links = linked(answer);
    const below = [...stringsOf(closingBlocks(answer, links)), ...closingLines(answer, links)];
    expect(below).toEqual([]);
  });

  it("names the sources that differ with a bar, the newer first", () => {
    const [aside] = asidesOf(answerOf(CONFLICT));
    expect(aside?.block).toEqual({
      type: "section",
      text: {
        type: "mrkdwn",
        text: "> “<https://handbook.example/leave|Leave policy>” (12 June 2025): 30 days\n> “<https://handbook.example/old-leave|Old leave policy>” (1 March 2023): 25 days",
        verbatim: true,
      },
    });
  });

  it("says in italics above the answer what was read otherwise, which is not what people are notified of", () => {
    const answer = answerOf(SUMMARY);
    expect(asidesOf(answer)).toEqual([]);
    expect(toSlackMarkdown(answer.blocks, linked(answer))).toMatch(
      /^\*I read “reciepts” as “receipts”\.\*\n\nThe main/,
    );
    expect(notificationText(answer.blocks, "")).toMatch(/^The main points of “Receipts”/);
  });

  it("is the same in Japanese", () => {
    const answer = answerOf(JAPANESE);
    expect(stringsOf(asidesOf(answer)[0]?.block).join()).toContain(
      "• <https://handbook.example/shucchou|出張と経費>：列車は二等席",
    );
    expect(closingLines(answer, linked(answer))).toEqual([]);
  });

  it("comes once, and whole, however the answer is cut into packets", () => {
    for (const plan of [CLOSEST, CONFLICT, SUMMARY, JAPANESE]) {
      for (const size of [1, 7, 60, 10_000]) {
        const flow = new PieceFlow();
        const snapshots = snapshotsOf({ ...plan, size });
        const pieces: Piece[] = snapshots.slice(0, -1).flatMap((answer) => flow.push(answer, linked(answer)));
        const last = snapshots.at(-1) ?? answerOf(plan);
        const end = flow.end(last, linked(last));
        const all = [...pieces, ...end.pieces];
        expect(end.rewritten).toBe(false);
        expect(all.filter(({ kind }) => kind === "aside")).toHaveLength(plan === SUMMARY ? 0 : 1);
        expect(all.map(pieceText).join("").trim()).toBe(
          piecesOf(last.blocks, linked(last)).map(pieceText).join("").trim(),
        );
      }
    }
  });

  it("is said once where another message group follows", () => {
    const say = (obj: object): Packet => ({ placement: { turn_index: 0, tab_index: 0 }, obj }) as Packet;
    const first = [
      say({ type: "message_start", finding: CLOSEST.finding }),
      say({ type: "message_delta", content: CLOSEST.text }),
    ];
    const after = [
      say({ type: "message_start" }),
      say({ type: "message_delta", content: "Yes." }),
      say({ type: "stop" }),
    ];
    const flow = new PieceFlow();
    let answer = emptyAnswer();
    const pieces: Piece[] = [];
    for (const packet of [...first, ...after]) {
      answer = reduce(answer, packet);
      pieces.push(...flow.push(answer, linked(answer)));
    }
    const text = [...pieces, ...flow.end(answer, linked(answer)).pieces].map(pieceText).join("");
    expect(text.match(/Travel and expenses/g)).toHaveLength(1);
    expect(text.match(/Leave policy/g)).toHaveLength(1);
  });

  it("is text where no blocks are taken", () => {
    const texts = (plan: typeof CLOSEST) => {
      const answer = answerOf(plan);
      return plainMessages(answer, linked(answer))
        .map(({ text }) => text)
        .join("\n");
    };
    expect(texts(CLOSEST)).toContain("• <https://handbook.example/travel|Travel and expenses>: Book trains");
    expect(texts(CONFLICT)).toContain("<https://handbook.example/old-leave|Old leave policy>” (1 March 2023): 25 days");
    expect(texts(SUMMARY)).toContain("_I read “reciepts” as “receipts”._");
  });

  it.each([
    ["mrkdwn", "*a* _b_ ~c~ `d` <!here> <@U1> <https://evil.example|x> @channel"],
    ["markdown", "**a** [b](https://evil.example) ![c](https://evil.example/c.png) | d"],
    ["an override", "a\u202eb\u2066c\u200bd"],
    ["control bytes", "a\u0000\u001b[31mb\u009bc"],
    ["ten thousand characters", "word ".repeat(2_000)],
    ["an address", "https://evil.example/x www.evil.example mailto:a@evil.example"],
  ])("stays harmless with %s in titles and sentences", (_, hostile) => {
    const one = { document_id: "x", title: hostile, link: "https://handbook.example/x", sentence: hostile };
    const finding = {
      state: "closest",
      closest: [one, { ...one, title: "Plain", link: "javascript:alert(1)" }],
      corrected: [{ written: hostile, read: hostile }],
    };
    const text = `I read “${hostile}” as “${hostile}”.\n\nClosest:\n\n- **${hostile}**: ${hostile}\n- **Plain**: ${hostile}`;
    const answer = answerOf({ text, finding });
    const messages = [...answerMessages(answer, linked(answer)), ...plainMessages(answer, linked(answer))];
    for (const message of messages) {
      const args = { channel: "C1", unfurl_links: false, unfurl_media: false, ...message };
      expect(refusalsOf("chat.postMessage", args)).toEqual([]);
    }
    const said = stringsOf(messages).join("\n");
    expect(said).not.toMatch(/<(?!https:\/\/handbook\.example\/x\|)[^>]*>/);
    expect(said).not.toMatch(/\]\((?!https:\/\/handbook\.example\/x\))[^)\s]+\)/);
    expect(said).not.toMatch(/@(?:here|channel)|:\/\/evil|www\.evil/);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/);
  });

  it("is none of a state nobody knows, nor of a finding without its fields", () => {
    expect(asidesOf(answerOf({ text: CLOSEST.text, finding: { state: "guess" } }))).toEqual([]);
    expect(asidesOf(answerOf({ text: CLOSEST.text }))).toEqual([]);
    const answer = answerOf({ text: "Perhaps.", finding: { state: "guess" } });
    expect(stringsOf(closingBlocks(answer, linked(answer)))).toContain("No source was cited.");
  });
});

describe("an answer that found nothing", () => {
  it("names no sources and asks nobody to check it, with a finding and without", () => {
    for (const plan of [
      { text: "Nichts gefunden.", finding: { state: "nothing" } },
      { text: "I found nothing about this in the documents. Try other words, or add a document that answers it." },
    ]) {
      const answer = answerOf(plan);
      expect(closingBlocks(answer, linked(answer))).toEqual([]);
    }
  });
});
