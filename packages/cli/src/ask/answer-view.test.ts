import { type Answer, emptyAnswer, type Step } from "@threadlore/ask";
import { describe, expect, it } from "vitest";
import { createAnswerView } from "./answer-view.ts";
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
