import { describe, expect, it } from "vitest";

import { MessageRefused, Unreachable, WorkspaceRevoked } from "../../transport/refusals.ts";
import { textOf } from "../../layout/cut-into-messages.ts";
import type { Awaited, DeliveryEvent, Tag } from "./state.ts";
import {
  answerAll,
  begin,
  broke,
  done,
  fail,
  finish,
  hear,
  opened,
  own,
  prepared,
  readBack,
  ready,
  refused,
  sentText,
  stop,
  TASK,
  turn,
  type Walk,
} from "./step.harness.ts";

const TS = "200.000000";

/** Deliveries at the moments at which something can go wrong, each waiting for the call it is named after. */
const waiting = hear(begin(), opened, prepared());
const starting = hear(waiting, turn(1));
const streaming = hear(starting, done(TS), ready);
const appending = hear(streaming, turn(2));
const appendingMuch = hear(hear(streaming, turn(2, 1000), done()), turn(4, 1000));
const appendingTable = hear(streaming, turn(3));
const ending = hear(streaming, finish());
const posting = hear(waiting, finish(), ready);
const whispering = hear(begin(undefined, true), opened, prepared(), finish(), ready);
const resuming = hear(begin({ stage: "streaming", messages: [{ ts: TS, how: "stream" }] }), opened);
const replacing = hear(resuming, readBack([own(TS, "", { run: "old" })]), ready, finish(), ready);
const LOST_START = sentText(starting);
const SAID = textOf(streaming.state.open?.parts ?? []);
const SENT = sentText(appending);

interface Expected {
  readonly tag: Tag;
  /** What it waits for next; absent: nothing. */
  readonly waits?: Awaited["do"];
  /** It wants a turn to show more. */
  readonly turn?: true;
}
type Row = readonly [what: string, from: Walk, events: readonly DeliveryEvent[], expected: Expected];

const TABLE: readonly Row[] = [
  // ── The start of a stream ──
  ["a start whose answer is lost is kept as such", starting, [refused("lost")], { tag: "waiting", waits: "save" }],
  ["a start whose answer is lost is looked for", starting, [refused("lost"), ready], { tag: "waiting", waits: "read" }],
  [
    "a lost start is looked for twice",
    starting,
    [refused("lost"), ready, readBack([])],
    { tag: "waiting", waits: "settle" },
  ],
  [
    "a lost start that was found is recorded, not begun again",
    starting,
    [refused("lost"), ready, readBack([own(TS, LOST_START)])],
    { tag: "streaming", waits: "save" },
  ],
  [
    "a lost start that was found nowhere is begun again",
    starting,
    [refused("lost"), ready, readBack([]), ready, readBack([])],
    { tag: "waiting", turn: true },
  ],
  [
    "what another message says is no lost start",
    starting,
    [refused("lost"), ready, readBack([{ ...own(TS, "Called."), foreign: true }])],
    { tag: "waiting", waits: "settle" },
  ],
  ["a limited start makes it a post", starting, [refused("limited")], { tag: "quiet" }],
  ["where nothing streams that is kept", starting, [refused("unstreamable")], { tag: "waiting", waits: "switchOff" }],
  ["where nothing streams it is posted", starting, [refused("unstreamable"), ready], { tag: "quiet" }],
  ["an unknown refusal of a start makes it a post", starting, [refused("other")], { tag: "quiet" }],
  ["a start in a place that is no more is the end", starting, [refused("gone")], { tag: "gone" }],
  ["a start whose lease is lost is the end", starting, [broke], { tag: "broken" }],
  ["a start that is not recorded is the end", starting, [done(), broke], { tag: "broken" }],
  // ── A part of the answer ──
  ["a lost part is read back", appending, [refused("lost")], { tag: "streaming", waits: "read" }],
  [
    "a lost part that is not there is sent again",
    appending,
    [refused("lost"), readBack([own(TS, SAID)])],
    { tag: "streaming", turn: true },
  ],
  [
    "a lost part that is there is taken as said",
    appending,
    [refused("lost"), readBack([own(TS, SAID + SENT)])],
    { tag: "streaming", turn: true },
  ],
  ["a limited part waits for its turn", appending, [refused("limited")], { tag: "streaming", turn: true }],
  ["Stop silences it", appending, [refused("stopped")], { tag: "quiet" }],
  [
    "a stream that ended by itself is only this run's to mend",
    appending,
    [refused("ended")],
    { tag: "streaming", waits: "guard" },
  ],
  [
    "a stream that ended by itself is replaced",
    appending,
    [refused("ended"), ready],
    { tag: "streaming", waits: "update" },
  ],
  [
    "after a stream that ended by itself the answer goes on",
    appending,
    [refused("ended"), ready, done()],
    { tag: "streaming", turn: true },
  ],
  [
    "a long message that is too long is ended",
    appendingMuch,
    [refused("tooLong")],
    { tag: "streaming", waits: "stop" },
  ],
  ["a short message that is too long is too much", appending, [refused("tooLong")], { tag: "quiet" }],
  ["a refused table is sent as text", appendingTable, [refused("content")], { tag: "streaming", turn: true }],
  ["refused text is posted in the end", appending, [refused("content")], { tag: "quiet" }],
  ["an unknown refusal of a part silences it", appending, [refused("other")], { tag: "quiet" }],
  ["a part in a place that is no more is the end", appending, [refused("gone")], { tag: "gone" }],
  ["a part of a message that was deleted is the end", appending, [refused("deleted")], { tag: "gone" }],
  // ── The end of a stream ──
  ["a lost end is read back", ending, [refused("lost")], { tag: "closing", waits: "read" }],
  [
    "a lost end that took effect is not repeated",
    ending,
    [refused("lost"), readBack([own(TS, SAID, { run: "this" })])],
    { tag: "closing", waits: "save" },
  ],
  [
    "a lost end that took no effect is repeated",
    ending,
    [refused("lost"), readBack([own(TS, SAID)]), ready],
    { tag: "closing", waits: "stop" },
  ],
  [
    "a lost end is given up after a while",
    ending,
    [refused("lost"), readBack([own(TS, SAID)], true)],
    { tag: "broken" },
  ],
  [
    "the end of a stream that ended by itself replaces it",
    ending,
    [refused("ended")],
    { tag: "closing", waits: "update" },
  ],
  [
    "what cannot be replaced gives way",
    ending,
    [refused("ended"), refused("content")],
    { tag: "closing", waits: "delete" },
  ],
  [
    "what gave way is posted",
    ending,
    [refused("ended"), refused("content"), done(), ready],
    { tag: "closing", waits: "post" },
  ],
  ["a refused end is tried with less", ending, [refused("tooLong")], { tag: "closing", waits: "stop" }],
  [
    "a stream that can be ended in no way is deleted",
    ending,
    [refused("tooLong"), refused("tooLong"), refused("tooLong")],
    { tag: "closing", waits: "delete" },
  ],
  ["an end in a place that is no more is quiet", ending, [refused("gone")], { tag: "closing", waits: "save" }],
  ["an end in a place that is no more is recorded", ending, [refused("gone"), ready], { tag: "closed" }],
  ["an end whose lease is lost is for another run", ending, [broke], { tag: "broken" }],
  // ── Whole messages ──
  ["a post whose answer is lost is kept as such", posting, [refused("lost")], { tag: "closing", waits: "save" }],
  ["a lost post is looked for", posting, [refused("lost"), ready], { tag: "closing", waits: "read" }],
  [
    "a lost post that was found is recorded, not posted again",
    posting,
    [refused("lost"), ready, readBack([own(TS, "", { part: 1 })])],
    { tag: "closing", waits: "save" },
  ],
  [
    "a lost post of another task is not this one's",
    posting,
    [refused("lost"), ready, readBack([own(TS, "", { task: "OTHER" })])],
    { tag: "closing", waits: "settle" },
  ],
  [
    "a lost post is looked for a last time before it is repeated",
    posting,
    [refused("lost"), ready, readBack([]), ready, readBack([]), ready],
    { tag: "closing", waits: "read" },
  ],
  [
    "a lost post that was found nowhere is repeated",
    posting,
    [refused("lost"), ready, readBack([]), ready, readBack([]), ready, readBack([])],
    { tag: "closing", waits: "post" },
  ],
  [
    "a lost post is given up after a while",
    posting,
    [refused("lost"), ready, readBack([]), ready, readBack([], true)],
    { tag: "broken" },
  ],
  [
    "a read that is lost is repeated",
    posting,
    [refused("lost"), ready, refused("lost")],
    { tag: "closing", waits: "backOff" },
  ],
  [
    "a read that is lost for long is given up",
    posting,
    [refused("lost"), ready, refused("lost", true)],
    { tag: "broken" },
  ],
  ["refused blocks are posted as text", posting, [refused("content")], { tag: "closing", waits: "post" }],
  ["text that is refused as well is an error", posting, [refused("other"), refused("other")], { tag: "broken" }],
  ["a post in a place that is no more is quiet", posting, [refused("gone")], { tag: "closing", waits: "save" }],
  ["a post that is not recorded is the end", posting, [done(), broke], { tag: "broken" }],
  // ── A private answer ──
  [
    "a lost private message is repeated",
    whispering,
    [refused("lost"), ready],
    { tag: "closing", waits: "postEphemeral" },
  ],
  ["a lost private message is given up after a while", whispering, [refused("lost", true)], { tag: "broken" }],
  [
    "a private message's refused blocks are text",
    whispering,
    [refused("content")],
    { tag: "closing", waits: "postEphemeral" },
  ],
  // ── What another process left ──
  ["what is open there is closed", resuming, [readBack([own(TS, "words")])], { tag: "resuming", waits: "stop" }],
  [
    "a lost close of what was open is repeated",
    resuming,
    [readBack([own(TS, "words")]), refused("lost")],
    { tag: "resuming", waits: "backOff" },
  ],
  [
    "a refused close of what was open is no matter",
    resuming,
    [readBack([own(TS, "words")]), refused("other")],
    { tag: "resuming", waits: "save" },
  ],
  [
    "a whole answer there is recorded as one",
    resuming,
    [readBack([own(TS, "words", { last: true })]), ready],
    { tag: "closed" },
  ],
  ["a place that is no more leaves nothing to do", resuming, [refused("gone")], { tag: "closed" }],
  ["what cannot be read is replaced", resuming, [refused("other"), done(), ready], { tag: "quiet" }],
  ["a lost replacement is repeated", replacing, [refused("lost"), ready], { tag: "closing", waits: "update" }],
  [
    "a message that is still streaming is ended first",
    replacing,
    [refused("stillOpen")],
    { tag: "closing", waits: "stop" },
  ],
  [
    "a message that is no more is no reason not to answer",
    replacing,
    [refused("deleted")],
    { tag: "closing", waits: "delete" },
  ],
  ["what cannot be replaced is posted anew", replacing, [refused("other"), done()], { tag: "closing", waits: "post" }],
];

describe("a step of a delivery", () => {
  it.each(TABLE)("%s", (_, from, events, { tag, waits, turn: wantsTurn = false }) => {
    const to = hear(from, ...events);
    expect({ tag: to.state.tag, waits: to.awaited?.do }).toEqual({ tag, waits });
    expect(to.effects.some((effect) => effect.do === "wantTurn")).toBe(wantsTurn);
    // Whatever went wrong, the end is reached once all goes well, or somebody is told why not.
    const end = answerAll(hear(to, finish()));
    expect(end.state.tag).toBe(tag === "broken" ? "broken" : "closed");
  });

  it.each([
    ["nothing yet", waiting, "delivered"],
    ["a stream", streaming, "delivered"],
    ["a stream that Stop ended", hear(appending, refused("stopped")), "stopped"],
    ["a place that is no more", hear(appending, refused("gone")), "gone"],
    ["an older process's message", hear(resuming, readBack([own(TS, "")]), done(), ready), "delivered"],
  ] as const)("finishes what has %s", (_, from, kind) => {
    expect(answerAll(hear(from, finish())).state.outcome?.kind).toBe(kind);
  });

  it("never sends a part again that may be there, and replaces the message in the end where nobody knows", () => {
    const unsure = hear(appending, refused("lost"), readBack([own(TS, `${SAID} and something else`)]));
    expect(unsure.state.open).toMatchObject({ isDoubtful: true, isUnsure: true });
    expect(textOf(unsure.state.open?.parts ?? [])).toBe(SAID + SENT);
    const end = hear(unsure, finish(), done(), readBack([own(TS, "whatever")]));
    expect(end.awaited).toMatchObject({ do: "update", ts: TS });
  });

  it("marks the last message as the last only when nothing is left to put right", () => {
    expect(ending.awaited).toMatchObject({ do: "stop", mark: { task: TASK, part: 1, last: true } });
    const doubtful = hear(appending, refused("lost"), readBack([own(TS, SAID + SENT)]), finish());
    expect(doubtful.awaited).toMatchObject({ do: "stop", mark: { last: false } });
  });

  it("deletes in the end what was taken for lost and came after all", () => {
    const lost = hear(starting, refused("lost"), ready, readBack([]), ready, readBack([]));
    const late = own("150.000000", LOST_START);
    const end = hear(hear(lost, finish(), ready, done(), ready), ready, readBack([late]));
    expect(end.awaited).toEqual({ do: "stop", ts: late.ts });
    expect(hear(end, done()).awaited).toEqual({ do: "delete", ts: late.ts });
  });

  it("does what was under way first when the end is asked for, and ends once", () => {
    const asked = hear(appending, finish());
    expect(asked.state.tag).toBe("closing");
    expect(asked.awaited?.do).toBe("append");
    expect(hear(asked, stop, fail).state).toEqual(asked.state);
    expect(hear(asked, done()).awaited?.do).toBe("stop");
  });

  it("says which error ended it", () => {
    const late = hear(posting, refused("lost"), ready, refused("lost", true));
    expect(late.state.error).toBeInstanceOf(Unreachable);
    expect(hear(posting, refused("other"), refused("other")).state.error).toBeInstanceOf(MessageRefused);
    const revoked = new WorkspaceRevoked("token_revoked");
    expect(hear(posting, { type: "broke", error: revoked }).state.error).toBe(revoked);
  });

  it("replaces all of what it showed where the answer was rewritten, and withdraws it even after Stop", () => {
    const rewritten = hear(streaming, finish({ rewritten: true }), done(), ready);
    expect(rewritten.awaited).toMatchObject({ do: "update", ts: TS });
    const stopped = hear(appending, refused("stopped"));
    expect(answerAll(hear(stopped, finish({ withdrawn: true }))).state.outcome?.kind).toBe("delivered");
  });
});
