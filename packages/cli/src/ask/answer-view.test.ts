import { type Answer, emptyAnswer, reduce, type Step } from "@threadlore/ask";
import type { Packet } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import { createAnswerView } from "./answer-view.ts";
import { findingDocument } from "./finding-document.ts";
import type { Screen, Terminal } from "../terminal/output.ts";

/** A terminal that keeps what is written to it, both streams together. */
function newTerminal(): { terminal: Terminal; written: () => string } {
  const parts: string[] = [];
  const screen: Screen = {
    isTerminal: true,
    colours: false,
    columns: 60,
    rows: 24,
    write: (text) => void parts.push(text),
  };
  const terminal: Terminal = {
    out: screen,
    err: screen,
    env: {},
    folder: "/",
    stdinIsTerminal: false,
    readStdin: async () => "",
    readStdinBytes: async () => new Uint8Array(),
    prompt: async () => "",
    interrupted: new AbortController().signal,
    hide: () => {},
  };
  return { terminal, written: () => parts.join("") };
}

function searching(...queries: string[]): Answer {
  const step: Step = { kind: "search", state: "running", name: "", queries, text: "", documentIds: [], place: "0" };
  return { ...emptyAnswer(), status: "searching", steps: [step] };
}

describe("the steps of an answer", () => {
  it("name what is searched for, once", () => {
    const { terminal, written } = newTerminal();
    const view = createAnswerView(terminal, "How many days?");
    view.show(searching());
    view.show(searching("leave", "days off"));
    view.show(searching("leave", "days off"));
    expect(written()).toBe("Searching: leave, days off\n");
  });

  it("do not repeat the question", () => {
    const { terminal, written } = newTerminal();
    createAnswerView(terminal, "How many days?").show(searching("How many days?"));
    expect(written()).toBe("Searching\n");
  });
});

describe("what an answer finds", () => {
  const travel = { document_id: "travel", title: "Travel", link: "https://handbook.example/travel" };
  const leave = { document_id: "leave", title: "Leave", link: null };

  /** The answer as it is in the end, and what the terminal was told on the way. */
  function shown(finding: object, text: string): { answer: Answer; screen: string } {
    const { terminal, written } = newTerminal();
    const view = createAnswerView(terminal, "What is it?");
    const objects = [
      { type: "message_start", final_documents: null, finding },
      ...(text.match(/[^]{1,9}/g) ?? []).map((content) => ({ type: "message_delta", content })),
      { type: "stop" },
    ];
    let answer = emptyAnswer();
    for (const obj of objects) {
      answer = reduce(answer, { placement: { turn_index: 0, tab_index: 0 }, obj } as Packet);
      view.show(answer);
    }
    return { answer, screen: written() };
  }

  it("is plain lines: the closest documents with their addresses, and no sources", () => {
    const closest = [
      { ...travel, sentence: "Trains." },
      { ...leave, sentence: "30 days." },
    ];
    const text = "I found no answer to this, but these come closest:\n\n- **Travel**: Trains.\n- **Leave**: 30 days.";
    expect(shown({ state: "closest", closest }, text).screen).toBe(`I found no answer to this, but these come closest:

• Travel: Trains.
  https://handbook.example/travel
• Leave: 30 days.
`);
  });

  it("has a bar where sources differ", () => {
    const conflict = [travel, leave].map((one) => ({ ...one, updated_at: null, says: "x" }));
    const text = "These sources differ:\n\n- “Travel” (12 June 2025): 30 days\n- “Leave” (1 March 2023): 25 days";
    expect(shown({ state: "quote", conflict }, text).screen).toContain(`│ • “Travel” (12 June 2025): 30 days
│   https://handbook.example/travel
│ • “Leave” (1 March 2023): 25 days
`);
  });

  it("is told to programs in the wire's own names", () => {
    const sent = {
      state: "closest",
      reason: "No document mentions “Mongolia”.",
      closest: [{ ...leave, sentence: "30 days." }],
      conflict: [{ ...travel, updated_at: "2025-06-12T00:00:00Z", says: "30 days" }],
      corrected: [{ written: "reciept", read: "receipt" }],
    };
    expect(findingDocument(shown(sent, "No.").answer.finding)).toEqual(sent);
    expect(findingDocument(shown({ state: "later" }, "No.").answer.finding)).toEqual({
      state: "later",
      reason: null,
      closest: [],
      conflict: [],
      corrected: [],
    });
    expect(findingDocument(emptyAnswer().finding)).toBeNull();
  });

  it("obeys nothing in titles and sentences", () => {
    const title = "\u001b[31mred\u202e\u0007 [x](https://evil.example)";
    const closest = [{ ...travel, title, link: "javascript:x", sentence: title }];
    const { screen } = shown({ state: "closest", closest }, `- **${title}**: ${"w".repeat(10_000)}`);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(screen).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
  });
});
