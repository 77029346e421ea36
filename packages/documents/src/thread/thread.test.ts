import { IngestionDocument } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import type { MadeDocument } from "../document/sections.ts";
import {
  type ChatThread,
  documentFromThread,
  EmptyThreadError,
  threadId,
  type ThreadMessage,
  tombstone,
  withoutHeading,
} from "./thread.ts";

const ada = { name: "Ada Berg", email: "ada@harbour.example" };
const bo = { name: "Bo Lind" };
const channel = { id: "C07", name: "facilities", kind: "public" } as const;
const link = (ts: string) => `https://harbour.slack.com/archives/C07/p${ts.replace(".", "")}`;

/** 2025-11-21T08:00:00Z and a number of minutes. */
const at = (minutes: number) => `${1_763_712_000 + minutes * 60}.000100`;

function message(minutes: number, text: string, more: Partial<ThreadMessage> = {}): ThreadMessage {
  return { ts: at(minutes), author: ada, text, permalink: link(at(minutes)), ...more };
}

function thread(messages: readonly ThreadMessage[], more: Partial<ChatThread> = {}): ChatThread {
  return { team: "T01", channel, ts: messages[0]?.ts ?? at(0), messages, keptBy: bo, ...more };
}

function made(messages: readonly ThreadMessage[], more: Partial<ChatThread> = {}): MadeDocument {
  const document = documentFromThread(thread(messages, more));
  expect(IngestionDocument.parse(document.document)).toEqual(document.document);
  expect(document.document.doc_updated_at ?? "Z").toMatch(/Z$/);
  return document;
}

const textOf = ({ document }: MadeDocument) => document.sections.map(({ text }) => text).join("\n\n");

describe("a kept message becomes a document", () => {
  it("alone: as it reads, with its address, author and keeper", () => {
    expect(made([message(0, "The **boiler room** code is 4711.\nAsk Bo.")])).toEqual({
      document: {
        id: "slack-T01-C07-1763712000.000100",
        semantic_identifier: "The boiler room code is 4711.",
        sections: [{ text: "The **boiler room** code is 4711.\nAsk Bo.", link: link(at(0)) }],
        source: "slack",
        metadata: {
          channel: "facilities",
          channel_id: "C07",
          team: "T01",
          visibility: "public channel",
          pinned_by: "Bo Lind",
          messages: "1",
        },
        doc_updated_at: "2025-11-21T08:00:00.000Z",
        primary_owners: [{ display_name: "Ada Berg", email: "ada@harbour.example" }],
        secondary_owners: [{ display_name: "Bo Lind" }],
      },
      notes: [],
    });
  });

  it("with its thread: each message under its author and moment, edits said, authors once", () => {
    const made1 = made([
      message(0, "Where is the key?"),
      message(1, "In the blue box.", { author: bo, editedTs: at(90) }),
      message(2, "Thanks!"),
    ]);
    expect(textOf(made1)).toBe(
      "Ada Berg, 2025-11-21 08:00 UTC:\nWhere is the key?\n\n" +
        "Bo Lind, 2025-11-21 08:01 UTC (edited):\nIn the blue box.\n\n" +
        "Ada Berg, 2025-11-21 08:02 UTC:\nThanks!",
    );
    // Whoever quotes a sentence of it may leave out who said it when.
    const heads = textOf(made1).split("\n\n").map(withoutHeading);
    expect(heads).toEqual(["Where is the key?", "In the blue box.", "Thanks!"]);
    expect(withoutHeading("Meet at 08:00 UTC: the key is there.")).toBe("Meet at 08:00 UTC: the key is there.");
    expect(made1.document.doc_updated_at).toBe("2025-11-21T09:30:00.000Z");
    expect(made1.document.primary_owners).toEqual([
      { display_name: "Ada Berg", email: "ada@harbour.example" },
      { display_name: "Bo Lind" },
    ]);
  });

  it("long threads in groups, each linking to the message it begins with", () => {
    const long = Array.from({ length: 12 }, (_, index) => message(index, `${index}: ${"words ".repeat(80)}`));
    const { document } = made(long);
    expect(document.sections.length).toBeGreaterThan(1);
    for (const section of document.sections) {
      const text = section.text ?? "";
      const first = /\n(\d+): /.exec(text)?.[1];
      expect(section.link).toBe(link(at(Number(first))));
      expect(text.length).toBeLessThanOrEqual(2_100);
    }
    expect(textOf({ document, notes: [] }).match(/\d+: words/g)).toHaveLength(12);
  });

  it("by a reply: id and title are the reply's, what came before is there", () => {
    const question = message(0, "Where is the key?");
    const answer = message(5, "The key is in the blue box.", { author: bo });
    const { document } = made([question, answer], { ts: answer.ts });
    expect(document.id).toBe(threadId("T01", "C07", answer.ts));
    expect(document.semantic_identifier).toBe("The key is in the blue box.");
    expect(document.sections[0]?.text).toContain("Where is the key?");
  });

  it("by an answer: its title is the question; whose it is and since when is told, and what else was asked stands last", () => {
    const answer = message(5, "In the blue box.", { author: bo });
    const facts = { question: "Where is the key?", owner: "T01:U2", keptAt: Date.UTC(2025, 10, 22) };
    const askedAs = ["key,\nwhere?", "Where is the key?", "key, where?", "Who has the key?"];
    const kept = { ts: answer.ts, how: "answer" as const, title: facts.question, keptBy: bo };
    const { document } = made([answer], { ...kept, answer: { ...facts, askedAs } });
    expect(document.semantic_identifier).toBe("Where is the key?");
    expect(document.metadata).toMatchObject({
      kept: "answer",
      question: "Where is the key?",
      owner: "Bo Lind",
      owner_ref: "T01:U2",
      kept_at: "2025-11-22T00:00:00.000Z",
      channel: "facilities",
    });
    expect(document.sections.map(({ text }) => text)).toEqual([
      "In the blue box.",
      "# Asked as\n- key, where?\n- Who has the key?",
    ]);
    const taken = made([answer], { ...kept, title: "", answer: { ...facts, question: "" } }).document;
    expect(JSON.stringify(taken)).not.toContain("Where is the key");
    expect(taken.sections).toHaveLength(1);
  });

  it("marks what is forwarded, names files without reading them, and says so", () => {
    const one = made([
      message(0, "See this", {
        quotes: [{ from: "Cy in #news", text: "Lift is out\nuntil Monday" }, { text: "   " }],
        files: ["plan.pdf"],
      }),
    ]);
    expect(textOf(one)).toBe(
      "See this\n\n> Forwarded message from Cy in #news:\n> Lift is out\n> until Monday\n\n[Attached, not read: plan.pdf]",
    );
    expect(one.notes).toEqual(["1 attached file is named in it, not read."]);
  });

  it("without deleted messages, and says how many were left out for length", () => {
    const one = made([message(0, "First"), message(1, "SECRET", { deleted: true }), message(2, "Last")], {
      leftOut: 3,
    });
    expect(textOf(one)).not.toContain("SECRET");
    expect(textOf(one)).toContain("First\n\n[3 messages are left out here.]\n\nAda Berg");
    expect(one.document.metadata).toMatchObject({ messages: "2" });
  });

  it("no longer than the limit, and its end says so", () => {
    const one = made([message(0, "long ".repeat(500)), message(1, "more ".repeat(500))], {
      limits: { totalCharacters: 3_000 },
    });
    expect(textOf(one)).toMatch(/\[Cut here: .*\]$/);
    expect(textOf(one).length).toBeLessThan(3_300);
    expect(one.notes).toContainEqual(expect.stringContaining("only its beginning was kept"));
    expect(textOf(made([message(0, "One")], { more: true }))).toMatch(/^One\n\n\[Cut here/);
  });

  it("without anything a person could not see", () => {
    const one = made([message(0, `Open\u{200B} at ${"\u{E0041}".repeat(5)}nine`, { author: { name: "Ada\u202E" } })]);
    expect(textOf(one)).toBe("Open at nine");
    expect(one.document.primary_owners).toEqual([{ display_name: "Ada" }]);
    expect(one.notes).toEqual(["6 invisible characters are left out."]);
  });

  it("the same for the same thread", () => {
    const messages = [message(0, "One"), message(1, "Two", { author: bo })];
    expect(made(messages)).toEqual(made(structuredClone(messages)));
  });

  it("links only to web addresses", () => {
    const { document } = made([message(0, "Odd", { permalink: "javascript:alert(1)" })]);
    expect(document.sections).toEqual([{ text: "Odd" }]);
  });

  it.each([
    ["```\n$ npm start\n```", "$ npm start"],
    ["- [the plan](https://wiki.example/plan) for `May`", "the plan for May"],
    ["> quoted line", "quoted line"],
    ["---\n***\nreal words", "real words"],
    ["⚓⚓⚓", "Message by Ada Berg in #facilities"],
    [`${"word ".repeat(60)}`, `${"word ".repeat(23).trim()}…`],
  ])("titled by the first line that says something: %j", (text, title) => {
    expect(made([message(0, text)]).document.semantic_identifier).toBe(title);
  });

  it("titled as the person who added it wishes", () => {
    const { document } = made([message(0, "words")], { title: "  Boiler\ncodes ", how: "added" });
    expect(document.semantic_identifier).toBe("Boiler codes");
    expect(document.metadata).toMatchObject({ added_by: "Bo Lind" });
  });

  it("not when there is nothing in it", () => {
    expect(() => made([message(0, " \u200B ")])).toThrow(EmptyThreadError);
    expect(() => made([])).toThrow(EmptyThreadError);
  });

  it("with an id every server keeps as it is", () => {
    expect(threadId("T 1/é", "C%", "17.5")).toBe("slack-T_1__-C_-17.5");
  });
});

describe("a tombstone", () => {
  it("has the document's id and nothing else of it", () => {
    const { document } = made([message(0, "The code is 4711.")]);
    const stone = tombstone({
      team: "T01",
      channel,
      ts: at(0),
      why: "unpinned",
      at: Date.parse("2025-12-01T10:00:00Z"),
    });
    expect(IngestionDocument.parse(stone)).toEqual(stone);
    expect(stone.id).toBe(document.id);
    expect(stone.sections).toEqual([
      { text: "This message was unpinned in #facilities on 2025-12-01; its text is no longer kept here." },
    ]);
    expect(JSON.stringify(stone)).not.toMatch(/4711|Ada|Bo|archives/);
    expect(stone.doc_updated_at).toBe("2025-12-01T10:00:00.000Z");
  });

  it("does not name a private channel", () => {
    const hidden = { id: "G1", name: "layoffs", kind: "private" } as const;
    expect(JSON.stringify(tombstone({ team: "T", channel: hidden, ts: "1.2", why: "deleted", at: 0 }))).not.toContain(
      "layoffs",
    );
  });
});
