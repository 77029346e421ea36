import { WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api";
import { describe, expect, it } from "vitest";

import { heldClock } from "../deliver/delivery.harness.ts";
import { Pacer } from "./pacing.ts";

const limits = { minFlushMs: 600, appendsPerMinute: 60, appendBurst: 10, startsPerMinute: 20, postSpacingMs: 1000 };
const APPEND = "chat.appendStream";

/** Streams that always have more to send, and when each of them was let through. */
function busyStreams(count: number, teams = 1) {
  const clock = heldClock();
  const pacer = new Pacer({ clock, limits });
  const sent: { stream: number; at: number }[] = [];
  for (let stream = 0; stream < count; stream += 1) {
    const turns = pacer.open(`T${stream % teams}`, `C${stream}`, () => {
      sent.push({ stream, at: clock.now() });
      turns.request();
    });
    turns.request();
  }
  return { clock, pacer, sent, begun: clock.now() };
}

describe("the appends of open streams", () => {
  it("are as quick as one stream may be when it is alone", async () => {
    const { clock, sent } = busyStreams(1);
    await clock.move(10_000);
    expect(sent.length).toBeGreaterThanOrEqual(9);
    const gaps = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(600);
  });

  it("stay within the workspace's budget however many streams are open, and every stream gets its share", async () => {
    const { clock, sent, begun } = busyStreams(30);
    await clock.move(600_000);
    for (let minute = 0; minute < 10; minute += 1) {
      const from = begun + minute * 60_000;
      const count = sent.filter(({ at }) => at >= from && at < from + 60_000).length;
      expect(count).toBeLessThanOrEqual(70);
    }
    expect(sent.length).toBeGreaterThan(500);
    const shares = Array.from({ length: 30 }, (_, stream) => sent.filter((one) => one.stream === stream).length);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2);
  });

  it("of one workspace take nothing from another's budget", async () => {
    const { clock, sent } = busyStreams(40, 2);
    await clock.move(120_000);
    const even = sent.filter(({ stream }) => stream % 2 === 0).length;
    expect(even).toBeGreaterThan(100);
    expect(sent.length - even).toBeGreaterThan(100);
  });

  it("need one timer a workspace for a thousand streams", async () => {
    const { clock } = busyStreams(1000, 50);
    await clock.move(5000);
    expect(clock.timers).toBeLessThanOrEqual(50);
  });

  it("wait out a limit in their channel, and not one elsewhere", async () => {
    const { clock, pacer, sent } = busyStreams(2);
    await clock.move(3000);
    pacer.limited({ team: "T0", method: APPEND, channel: "C0" }, 30_000);
    const before = sent.length;
    await clock.move(29_000);
    expect(new Set(sent.slice(before).map(({ stream }) => stream))).toEqual(new Set([1]));
    await clock.move(10_000);
    expect(sent.at(-1)?.at).toBeGreaterThan(0);
    expect(sent.slice(before).some(({ stream }) => stream === 0)).toBe(true);
  });

  it("all wait when a second channel is limited too", async () => {
    const { clock, pacer, sent } = busyStreams(3);
    await clock.move(3000);
    pacer.limited({ team: "T0", method: APPEND, channel: "C0" }, 30_000);
    pacer.limited({ team: "T0", method: APPEND, channel: "C1" }, 30_000);
    const before = sent.length;
    await clock.move(29_000);
    expect(sent.length).toBe(before);
    await clock.move(10_000);
    expect(sent.length).toBeGreaterThan(before);
  });

  it("stop with the stream", async () => {
    const clock = heldClock();
    const pacer = new Pacer({ clock, limits });
    let flushed = 0;
    const turns = pacer.open("T", "C", () => (flushed += 1));
    turns.request();
    turns.close();
    await clock.move(60_000);
    turns.request();
    await clock.move(60_000);
    expect(flushed).toBe(0);
    expect(clock.timers).toBe(0);
  });
});

describe("starts of streams", () => {
  it("are given out until the minute's budget is spent, and again a minute later", async () => {
    const clock = heldClock();
    const pacer = new Pacer({ clock, limits });
    const taken = Array.from({ length: 25 }, () => pacer.takeStart("T", "C"));
    expect(taken.filter(Boolean)).toHaveLength(20);
    expect(pacer.takeStart("OTHER", "C")).toBe(true);
    await clock.move(60_000);
    expect(pacer.takeStart("T", "C")).toBe(true);
  });

  it("are none while the platform limits them", () => {
    const pacer = new Pacer({ clock: heldClock(), limits });
    pacer.limited({ team: "T", method: "chat.startStream", channel: "C" }, 5000);
    expect(pacer.takeStart("T", "C")).toBe(false);
    expect(pacer.takeStart("T", "ELSEWHERE")).toBe(true);
  });
});

describe("a call", () => {
  const call = { team: "T", method: "chat.postMessage", channel: "C" };

  it("is made again after a limit, and not before", async () => {
    const clock = heldClock();
    const pacer = new Pacer({ clock, limits });
    const at: number[] = [];
    const begun = clock.now();
    const reply = pacer.call(call, async () => {
      at.push(clock.now() - begun);
      if (at.length === 1) throw new WebAPIRateLimitedError(7);
      return "done";
    });
    await clock.move(0);
    expect(pacer.wait(call)).toBe(7000);
    expect(pacer.wait({ ...call, channel: "D" })).toBe(0);
    expect(pacer.wait({ ...call, method: "chat.update" })).toBe(0);
    await clock.move(20_000);
    expect(await reply).toBe("done");
    expect(at).toHaveLength(2);
    expect(at[1]).toBeGreaterThanOrEqual(7000);
  });

  it("is not repeated for anything but a limit", async () => {
    const pacer = new Pacer({ clock: heldClock(), limits });
    let calls = 0;
    const refused = new WebAPIPlatformError({ ok: false, error: "is_archived" });
    const reply = pacer.call(call, () => {
      calls += 1;
      return Promise.reject(refused);
    });
    await expect(reply).rejects.toBe(refused);
    expect(calls).toBe(1);
  });

  it("gives up when the limit lasts longer than its patience", async () => {
    const clock = heldClock();
    const pacer = new Pacer({ clock, limits });
    const limited = new WebAPIRateLimitedError(600);
    const reply = pacer.call(call, () => Promise.reject(limited), { until: clock.now() + 5000 });
    await expect(reply).rejects.toBe(limited);
  });

  it("that posts keeps its distance to the last post in the channel", async () => {
    const clock = heldClock();
    const pacer = new Pacer({ clock, limits });
    const at: string[] = [];
    const begun = clock.now();
    const post = (channel: string) =>
      pacer.call({ ...call, channel }, async () => at.push(`${channel} ${clock.now() - begun}`));
    const all = Promise.all([post("C"), post("C"), post("C"), post("D")]);
    await clock.move(5000);
    await all;
    expect(at.toSorted()).toEqual(["C 0", "C 1000", "C 2000", "D 0"]);
  });
});
