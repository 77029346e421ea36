import { describe, expect, it } from "vitest";
import type { Awaited, DeliveryEvent } from "./state.ts";
import { doubtsOf } from "./streamed.ts";
import {
  answerAll,
  answerOne,
  begin,
  done,
  finish,
  hear,
  opened,
  own,
  prepared,
  readBack,
  ready,
  refused,
  sentText,
  TASK,
  turn,
  type Walk,
} from "./step.harness.ts";

const TS = "200.000000";
const waiting = hear(begin(), opened, prepared());
const starting = hear(waiting, turn(1));
const streaming = hear(starting, done(TS), ready);
const appending = hear(streaming, turn(2));
const ending = hear(streaming, finish());
const posting = hear(waiting, finish(), ready);
const resuming = hear(begin({ stage: "streaming", messages: [{ ts: TS, how: "stream" }] }), opened);
const shown: DeliveryEvent = { type: "shown" };

/** The walk on a good day up to where something is waited for, which has to come. */
function until(walk: Walk, what: Awaited["do"]): Walk {
  let now = walk;
  for (let count = 0; now.awaited?.do !== what; count += 1) {
    if (now.awaited === undefined || count > 100) throw new Error(`It never waits for ${what}.`);
    now = answerOne(now, count);
  }
  return now;
}

/** Everything that is waited for on a good day from here to the end. */
function kindsFrom(walk: Walk): Awaited["do"][] {
  const kinds: Awaited["do"][] = [];
  for (let [now, count] = [walk, 0]; now.awaited !== undefined && count < 100; count += 1) {
    kinds.push(now.awaited.do);
    now = answerOne(now, count);
  }
  return kinds;
}

describe("what is still to be done", () => {
  it("is one look more, however often more was to be shown while a call was under way", () => {
    const often = hear(appending, shown, shown, shown);
    expect(often.state.again).toBe(true);
    expect(often.state.work?.heard).toEqual(hear(appending, shown).state.work?.heard);
  });

  it("is a look at a message whose start nobody confirmed, once it has ended", () => {
    const found = hear(starting, refused("lost"), ready, readBack([own(TS, sentText(starting))]), ready);
    expect(hear(found, finish(), done()).awaited).toMatchObject({ do: "read", ts: TS });
    expect(hear(streaming, finish(), done()).awaited?.do).not.toBe("read");
  });

  it("is nothing of what others said between the messages of an answer that is taken up", () => {
    const other = { ...own("300.000000", "Called."), foreign: true };
    const taken = hear(resuming, readBack([own(TS, "", { run: "old" }), other]));
    expect(taken.state.shown.map(({ ts }) => ts)).toEqual([TS]);
  });
});

describe("a message with nothing but cards", () => {
  const cards = hear(waiting, turn(0));
  const aged = hear(cards, done(TS), ready, turn(0, undefined, TS));

  it("that is old gives way to the next one, which shows the cards again", () => {
    expect(aged.awaited).toMatchObject({ do: "stop", ts: TS });
    const gone = hear(aged, done());
    expect(gone.awaited).toEqual({ do: "delete", ts: TS });
    expect(hear(gone, done()).state).toMatchObject({ ended: [], shown: [], cursor: cards.state.cursor });
    expect(hear(gone, done(), turn(1)).awaited).toMatchObject({
      do: "start",
      chunks: expect.arrayContaining([expect.objectContaining({ type: "task_update" })]),
    });
  });

  it("that ended by itself does so too", () => {
    const gone = hear(aged, refused("ended"));
    expect(gone.awaited).toEqual({ do: "delete", ts: TS });
    expect(hear(gone, done()).state).toMatchObject({ ended: [], shown: [], cursor: cards.state.cursor });
    expect(hear(gone, done(), turn(1)).awaited).toMatchObject({
      do: "start",
      chunks: expect.arrayContaining([expect.objectContaining({ type: "task_update" })]),
    });
  });

  it("that ended by itself before text came to it does so too", () => {
    const gone = hear(cards, done(TS), ready, turn(1), refused("ended"), ready);
    expect(gone.awaited).toEqual({ do: "delete", ts: TS });
    expect(hear(gone, done()).state).toMatchObject({ ended: [], shown: [], cursor: cards.state.cursor });
  });
});

describe("the end of an answer", () => {
  it("that was refused, and then came by itself, leaves the rest to be posted", () => {
    const late = hear(ending, refused("content"), refused("ended"));
    expect(late.awaited?.do).toBe("update");
    expect(kindsFrom(late)).toContain("post");
  });

  it("settles the session where its stream could not be ended", () => {
    expect(kindsFrom(ending)).not.toContain("settleSession");
    let refusedAll = ending;
    while (refusedAll.awaited?.do === "stop") refusedAll = hear(refusedAll, refused("other"));
    expect(kindsFrom(refusedAll)).toContain("settleSession");
  });

  it("looks for a post that was repeated, and deletes no one else's message", () => {
    const repeated = until(hear(posting, refused("lost"), ready, readBack([]), ready, readBack([])), "post");
    const settling = until(hear(repeated, done(TS)), "settle");
    const mark = { task: TASK, part: 1 };
    const others = readBack([{ ...own("300.000000", "The answer.", mark), foreign: true }]);
    expect(kindsFrom(hear(settling, ready, others))).not.toContain("delete");
    expect(hear(settling, ready, readBack([own("300.000000", "The answer.", mark)])).awaited).toEqual({
      do: "delete",
      ts: "300.000000",
    });
  });

  it("is tried again where nobody knows whether a message was deleted", () => {
    const repeated = until(hear(posting, refused("lost"), ready, readBack([]), ready, readBack([])), "post");
    const settling = until(hear(repeated, done(TS)), "settle");
    const deleting = hear(settling, ready, readBack([own("300.000000", "The answer.", { part: 1 })]));
    const again = hear(deleting, refused("lost"), ready);
    expect(again.awaited).toEqual(deleting.awaited);
    expect(kindsFrom(hear(again, refused("deleted")))).toEqual(["save"]);
  });

  it("keeps what may still come to be until it has ended, and knows it again", () => {
    const doubts = { starts: [], posts: true };
    const lost = hear(posting, refused("lost"));
    expect(lost.awaited).toMatchObject({ do: "save", progress: { stage: "posting", doubts } });
    const found = until(hear(lost, ready, readBack([own(TS, "", { part: 1 })])), "save");
    expect(found.awaited).not.toHaveProperty("progress.doubts");
    const taken = hear(begin({ stage: "posting", messages: [], doubts }), opened, readBack([]), prepared(), finish());
    const end = until(hear(until(taken, "settle"), ready, readBack([])), "save");
    expect(end.awaited).toMatchObject({ do: "save", progress: { stage: "closed", doubts } });
  });

  it("looks for a start that was lost before another process took it up", () => {
    const late = own("150.000000", sentText(starting));
    const kept = hear(starting, refused("lost"));
    expect(kept.awaited).toMatchObject({ do: "save", progress: { doubts: { starts: [late.text], posts: false } } });
    const doubts = { starts: [late.text], posts: false };
    const taken = hear(begin({ stage: "starting", messages: [], doubts }), opened, readBack([]), prepared(), finish());
    expect(hear(until(taken, "settle"), ready, readBack([late])).awaited).toEqual({ do: "stop", ts: late.ts });
  });

  it("keeps that a stream of the process before it may begin yet", () => {
    for (const stage of ["starting", "streaming"] as const) {
      const taken = hear(begin({ stage, messages: [] }), opened, readBack([]), prepared(), finish());
      expect(doubtsOf(answerAll(taken).state)).toEqual({ starts: [], posts: false, streams: true });
    }
    expect(doubtsOf(answerAll(hear(waiting, finish())).state)).toBeUndefined();
  });

  it("looks for a post that was perhaps under way when the process before it ended", () => {
    const taken = hear(begin({ stage: "posting", messages: [] }), opened, readBack([]), prepared(), finish());
    const late = own("150.000000", "The answer.", { part: 1, run: "old" });
    expect(hear(until(taken, "settle"), ready, readBack([late])).awaited).toEqual({ do: "delete", ts: late.ts });
  });

  it("says a refused message more simply, and not all of the answer again, where a part of it stands", () => {
    const message = (text: string) => ({ text, blocks: [{ type: "markdown", text }] });
    const whole = { messages: () => [message("One."), message("Two.")], plain: () => [{ text: "One. Two." }] };
    const second = until(hear(hear(waiting, finish(whole), ready), done(TS)), "post");
    expect(second.awaited).toMatchObject({ do: "post", message: { text: "Two." } });
    const simpler = hear(second, refused("content"));
    expect(simpler.awaited).toMatchObject({ do: "post", message: { text: "Two." } });
    const first = hear(hear(waiting, finish(whole), ready), refused("content"));
    expect(first.awaited).toMatchObject({ do: "post", message: { text: "One. Two." } });
  });
});
