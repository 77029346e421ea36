import type { Packet } from "@threadlore/client/models";
import { anything, assert, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { storedAnswer } from "../recovery/stored-answer.ts";
import { type Answer, emptyAnswer, endedAs, reduce } from "./answer.ts";
import { linksOf } from "./citations.ts";
import { findingOf, saysNothingFound } from "./finding.ts";

const packet = (obj: object): Packet =>
  JSON.parse(JSON.stringify({ placement: { turn_index: 0, tab_index: 0 }, obj })) as Packet;
const start = (finding?: unknown) => packet({ type: "message_start", final_documents: null, finding });
const say = (content: string) => packet({ type: "message_delta", content });
const stop = packet({ type: "stop" });
const play = (packets: readonly Packet[]): Answer => packets.reduce(reduce, emptyAnswer());

const travel = { document_id: "travel", title: "Travel", link: "https://handbook.example/travel", sentence: "Trains." };
const closest = { state: "closest", reason: "No document mentions “Mongolia”.", closest: [travel] };

describe("the finding of an answer", () => {
  it("comes with the packet its text begins with, in the words of this package", () => {
    const says = { document_id: "old", title: "Old", link: null, updated_at: "2023-03-01T00:00:00Z", says: "25 days" };
    const sent = { ...closest, conflict: [says], corrected: [{ written: "reciept", read: "receipt" }], later: 1 };
    expect(play([start(sent), say("No.")]).finding).toEqual({
      state: "closest",
      reason: "No document mentions “Mongolia”.",
      closest: [
        { documentId: "travel", title: "Travel", link: "https://handbook.example/travel", sentence: "Trains." },
      ],
      conflict: [{ documentId: "old", title: "Old", updatedAt: "2023-03-01T00:00:00Z", says: "25 days" }],
      corrected: [{ written: "reciept", read: "receipt" }],
    });
  });

  it("is that of the last message group, and none where that has none", () => {
    const before = [start(closest), say("No.")];
    expect(play([...before, start({ state: "quote" }), say("Yes.")]).finding?.state).toBe("quote");
    expect(play([...before, start(), say("Yes.")]).finding).toBeUndefined();
    expect(play([...before, start(null), say("Yes.")]).finding).toBeUndefined();
  });

  it("stays when the answer ends, breaks off or is stopped", () => {
    const answer = play([start(closest), say("No.")]);
    expect(reduce(answer, stop).finding?.state).toBe("closest");
    expect(endedAs(answer, "partial").finding?.state).toBe("closest");
    expect(JSON.parse(JSON.stringify(answer)).finding.closest).toHaveLength(1);
  });

  it("is read from a stored answer where the server keeps it", () => {
    const asked = { message_id: 1, message: "q", message_type: "user" };
    const kept = { message_id: 2, parent_message: 1, message: "No.", message_type: "assistant", finding: closest };
    const session = { chat_session_id: "s", messages: [asked, kept] };
    const answer = storedAnswer(session, { messageId: 2 }, { isQuestion: () => false, after: 0 });
    expect(answer).toMatchObject({ status: "done", text: "No.", finding: { state: "closest" } });
  });

  it("is never a reason to fail, whatever is sent for one", () => {
    assert(
      property(anything(), anything(), anything(), (value, list, entry) => {
        findingOf(value);
        const finding = findingOf({ state: "later", closest: list, conflict: [entry, list], corrected: [entry] });
        expect(finding?.state).toBe("later");
        expect(() => linksOf({ citations: [], sources: [], finding }).href("https://handbook.example/x")).not.toThrow();
      }),
      { numRuns: 300 },
    );
    for (const none of [undefined, null, "quote", 1, [], {}, { state: 1 }]) expect(findingOf(none)).toBeUndefined();
  });

  it("lets its documents be linked, by the same rule as sources", () => {
    const local = { ...travel, link: "http://192.168.0.1/" };
    const { finding } = play([start({ ...closest, closest: [travel, local, { ...travel, link: "javascript:x" }] })]);
    const links = linksOf({ citations: [], sources: [], finding });
    expect(links.href("https://handbook.example/travel")).toBe("https://handbook.example/travel");
    expect(links.href("http://192.168.0.1/")).toBeUndefined();
    expect(links.href("javascript:x")).toBeUndefined();
    expect(links.href("https://evil.example/")).toBeUndefined();
  });
});

describe("saysNothingFound", () => {
  const said = (state: string | undefined, text: string, end = stop) =>
    saysNothingFound(play([start(state === undefined ? undefined : { state }), say(text), end]));

  it("goes by the finding, whatever the words", () => {
    expect(said("closest", "これに最も近い文書です。")).toBe(true);
    expect(said("nothing", "Nichts.")).toBe(true);
    expect(said("quote", "I found nothing about this in the drawer, says the log.")).toBe(false);
    expect(said("later", "I found nothing about this in the documents.")).toBe(false);
  });

  it("goes by the sentence of servers without one", () => {
    expect(said(undefined, "I found nothing about this in the documents. Try other words.")).toBe(true);
    expect(said(undefined, "We have 28 days.")).toBe(false);
    expect(said(undefined, "She wrote: I found nothing about this.")).toBe(false);
  });

  it("says so of whole answers alone", () => {
    expect(said("nothing", "No", say(" document"))).toBe(false);
    const answer = play([start(closest), say("No.")]);
    expect(saysNothingFound(endedAs(answer, "partial"))).toBe(false);
  });
});
