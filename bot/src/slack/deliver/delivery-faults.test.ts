import { afterEach, describe, expect, it } from "vitest";

import {
  card,
  ending,
  grow,
  heldClock,
  numbers,
  openScene,
  paragraphNumbers,
  paragraphs,
  type Scene,
  type SceneOptions,
  shownText,
} from "./delivery.harness.ts";
import { deliverUnderFaults } from "./delivery-faults.harness.ts";
import { Delivery } from "./delivery.ts";
import { Unreachable, WorkspaceRevoked } from "../transport/refusals.ts";

let scene: Scene | undefined;
async function open(options?: SceneOptions): Promise<Scene> {
  scene = await openScene(options);
  return scene;
}
afterEach(async () => {
  await scene?.workspace.close();
  scene = undefined;
});

/** Everything shown is right, once: the paragraphs in order, the closing, no message more than recorded. */
function expectRight(at: Scene, count: number, messages: readonly string[]): void {
  expect(paragraphNumbers(shownText(at))).toEqual(numbers(count));
  expect(shownText(at).split("Sources: none")).toHaveLength(2);
  expect(at.answers().map(({ ts }) => ts)).toEqual(messages);
  expect(at.answers().every(({ stream }) => stream?.state !== "in_progress")).toBe(true);
  expect(at.refusals()).toEqual([]);
}

describe("a lost response", () => {
  for (const method of ["chat.startStream", "chat.appendStream", "chat.stopStream"]) {
    for (const kind of ["dropped", "failed"] as const) {
      it(`of ${method} (${kind}) leaves one right answer`, async () => {
        const at = await open();
        const delivery = at.open();
        const pieces = paragraphs(8);
        const spoil = (): void => {
          if (kind === "dropped") at.workspace.faults.dropResponse(method);
          else at.workspace.faults.fail(method, { status: 503 });
        };
        if (method === "chat.startStream") spoil();
        delivery.show({ cards: [card("one")], pieces: pieces.slice(0, 1) });
        await at.workspace.until(() => paragraphNumbers(shownText(at)).includes(0));
        await expect.poll(() => at.journal.at(-1)?.messages).toHaveLength(1);
        if (method !== "chat.startStream") spoil();
        delivery.show({ cards: [card("one", "complete")], pieces: pieces.slice(0, 5) });
        await at.workspace.until(() => paragraphNumbers(shownText(at)).includes(4));
        const done = await delivery.finish(ending(pieces, { cards: [card("one", "complete")] }));
        expect(done).toMatchObject({ kind: "delivered", how: "stream" });
        expectRight(at, 8, done.messages);
        expect(at.answers()).toHaveLength(1);
        expect(at.answers()[0]?.stream?.tasks).toMatchObject([{ status: "complete" }]);
        // What took effect is taken up, not done again.
        expect(at.count("chat.startStream")).toBe(method === "chat.startStream" && kind === "failed" ? 2 : 1);
      });
    }
  }

  for (const kind of ["dropped", "failed"] as const) {
    it(`of chat.postMessage (${kind}) leaves one post`, async () => {
      const at = await open();
      if (kind === "dropped") at.workspace.faults.dropResponse("chat.postMessage");
      else at.workspace.faults.fail("chat.postMessage", { status: 500 });
      const done = await at.open().finish(ending(paragraphs(4)));
      expectRight(at, 4, done.messages);
      expect(at.answers()).toHaveLength(1);
      expect(at.count("chat.postMessage")).toBe(kind === "dropped" ? 1 : 2);
    });
  }

  it("of any post of a long answer leaves each message once", async () => {
    const at = await open();
    const pieces = paragraphs(60, 60);
    at.workspace.faults.dropResponse("chat.postMessage", { times: 3 });
    const done = await at.open().finish(ending(pieces));
    expect(at.answers().length).toBeGreaterThan(2);
    expectRight(at, 60, done.messages);
  });

  it("of every call once leaves one right answer", async () => {
    const at = await open();
    const pieces = paragraphs(40, 60);
    const methods = [
      "chat.startStream",
      "chat.appendStream",
      "chat.stopStream",
      "chat.postMessage",
      "conversations.replies",
    ];
    for (const method of methods) at.workspace.faults.dropResponse(method);
    const delivery = at.open();
    delivery.show({ cards: [card("one")], pieces: pieces.slice(0, 1) });
    await expect.poll(() => at.journal.at(-1)?.messages).toHaveLength(1);
    delivery.show({ cards: [card("one")], pieces: pieces.slice(0, 20) });
    await at.workspace.until(() => paragraphNumbers(shownText(at)).includes(19));
    const done = await delivery.finish(ending(pieces));
    expectRight(at, 40, done.messages);
  });

  it.each([
    ["while it is looked for is found and taken", "conversations.replies"],
    ["after it was posted again is deleted", "chat.postMessage"],
  ])("of a post that turns up %s", async (_, seen) => {
    const at = await open({ timeoutMs: 500, deps: { settleMs: 2_000 } });
    const held = at.workspace.faults.hold("chat.postMessage");
    const finished = at.open().finish(ending(paragraphs(4)));
    await held.came;
    await at.workspace.until(() => at.count(seen) > 0);
    held.release();
    const done = await finished;
    expect(done.kind).toBe("delivered");
    expectRight(at, 4, done.messages);
  });

  it("of a part that turns up late is shown once in the end", async () => {
    const at = await open({ timeoutMs: 500 });
    const delivery = at.open();
    const pieces = paragraphs(6);
    await grow(at, delivery, pieces, 2);
    const held = at.workspace.faults.hold("chat.appendStream");
    delivery.show({ cards: [], pieces: pieces.slice(0, 4) });
    // It was sent again.
    await at.workspace.until(() => paragraphNumbers(shownText(at)).includes(3));
    held.release();
    await at.workspace.until(() => paragraphNumbers(shownText(at)).filter((number) => number === 3).length === 2);
    const done = await delivery.finish(ending(pieces));
    expectRight(at, 6, done.messages);
    expect(at.answers()).toHaveLength(1);
  });
});

describe("a limit", () => {
  it("on one stream leaves the others alone", async () => {
    const at = await open();
    const { place, deps } = await at.another();
    const other = new Delivery(place, deps);
    const delivery = at.open();
    const pieces = paragraphs(20);
    const otherText = (): string =>
      at.workspace
        .messages(place.channel, place.threadTs)
        .map(({ shown }) => shown)
        .join("\n");
    await grow(at, delivery, pieces, 1);
    other.show({ cards: [], pieces: pieces.slice(0, 1) });
    await at.workspace.until(() => paragraphNumbers(otherText()).includes(0));
    at.workspace.faults.rateLimit("chat.appendStream", { retryAfterS: 600 });
    delivery.show({ cards: [], pieces: pieces.slice(0, 2) });
    await expect.poll(() => at.workspace.calls.some(({ status }) => status === 429)).toBe(true);
    for (let count = 2; count <= 8; count += 1) {
      other.show({ cards: [], pieces: pieces.slice(0, count) });
      await at.workspace.until(() => paragraphNumbers(otherText()).includes(count - 1));
    }
    await other.finish(ending(pieces));
    expect(paragraphNumbers(otherText())).toEqual(numbers(20));
    // The end of the limited one needs no append.
    const done = await delivery.finish(ending(pieces));
    expectRight(at, 20, done.messages);
  });

  it("on the end of a stream is waited out", async () => {
    const at = await open();
    const delivery = at.open();
    await grow(at, delivery, paragraphs(2));
    at.workspace.faults.rateLimit("chat.stopStream", { retryAfterS: 1 });
    const done = await delivery.finish(ending(paragraphs(4)));
    expectRight(at, 4, done.messages);
    expect(at.count("chat.stopStream")).toBe(2);
  });

  it("on new streams makes it a post", async () => {
    const at = await open();
    at.workspace.faults.rateLimit("chat.startStream", { retryAfterS: 30 });
    const delivery = at.open();
    delivery.show({ cards: [], pieces: paragraphs(1) });
    await expect.poll(() => delivery.how).toBe("post");
    const done = await delivery.finish(ending(paragraphs(4)));
    expect(done).toMatchObject({ how: "post" });
    expectRight(at, 4, done.messages);
  });

  it("on posts is waited out, with one post in the end", async () => {
    const at = await open();
    at.workspace.faults.rateLimit("chat.postMessage", { retryAfterS: 1 });
    const done = await at.open().finish(ending(paragraphs(4)));
    expectRight(at, 4, done.messages);
    expect(at.count("chat.postMessage")).toBe(2);
  });
});

describe("a stream that ended by itself", () => {
  it("goes on in a new message when there is more to show", async () => {
    let now = Date.now();
    const at = await open({ workspace: { now: () => now } });
    const delivery = at.open();
    const pieces = paragraphs(8);
    await grow(at, delivery, pieces, 3);
    now += 301_000;
    delivery.show({ cards: [], pieces: pieces.slice(0, 6) });
    await at.workspace.until(() => paragraphNumbers(shownText(at)).includes(5));
    const done = await delivery.finish(ending(pieces));
    expect(at.answers()).toHaveLength(2);
    expectRight(at, 8, done.messages);
  });

  it("unnoticed, while nothing was said, is put right before the answer goes on below", async () => {
    const clock = heldClock(Date.now());
    const at = await open({ clock, workspace: { now: clock.now } });
    const delivery = at.open();
    const pieces = paragraphs(4);
    delivery.show({ cards: [], pieces: pieces.slice(0, 2) });
    await expect.poll(() => at.journal.at(-1)?.stage).toBe("streaming");
    // The timer that would have closed it in time ran late.
    await clock.move(301_000);
    await at.workspace.until(() => at.answers()[0]?.metadata !== undefined);
    const done = await delivery.finish(ending(pieces));
    expect(at.answers()).toHaveLength(2);
    expectRight(at, 4, done.messages);
  });

  it("is replaced by the whole when only its end was missing", async () => {
    let now = Date.now();
    const at = await open({ workspace: { now: () => now } });
    const delivery = at.open();
    const pieces = paragraphs(8);
    await grow(at, delivery, pieces, 3);
    now += 301_000;
    const done = await delivery.finish(ending(pieces));
    expect(at.answers()).toHaveLength(1);
    expectRight(at, 8, done.messages);
  });
});

describe("content the platform refuses", () => {
  for (const code of ["msg_too_long", "invalid_chunks", "streaming_mode_mismatch"]) {
    it(`in the middle of a stream (${code}) is delivered another way`, async () => {
      const at = await open();
      const delivery = at.open();
      const pieces = paragraphs(8);
      await grow(at, delivery, pieces, 2);
      at.workspace.faults.refuse("chat.appendStream", code);
      delivery.show({ cards: [], pieces: pieces.slice(0, 5) });
      await expect.poll(() => at.count("chat.appendStream")).toBeGreaterThan(1);
      const done = await delivery.finish(ending(pieces));
      expectRight(at, 8, done.messages);
    });

    it(`at the end of a stream (${code}) is delivered another way`, async () => {
      const at = await open();
      const delivery = at.open();
      const pieces = paragraphs(8);
      await grow(at, delivery, pieces, 2);
      at.workspace.faults.refuse("chat.stopStream", code);
      const done = await delivery.finish(ending(pieces));
      expectRight(at, 8, done.messages);
      expect(at.answers()).toHaveLength(2);
    });
  }

  it("even as a bare end gives way to posts of the whole", async () => {
    const at = await open();
    const delivery = at.open();
    const pieces = paragraphs(8);
    await grow(at, delivery, pieces, 2);
    at.workspace.faults.refuse("chat.stopStream", "msg_too_long", { times: 2 });
    const done = await delivery.finish(ending(pieces));
    expectRight(at, 8, done.messages);
    expect(at.count("chat.delete")).toBe(1);
  });

  it("as blocks of a post is posted as text", async () => {
    const at = await open();
    at.workspace.faults.refuse("chat.postMessage", "invalid_blocks");
    const done = await at.open().finish(ending(paragraphs(4)));
    expect(done).toMatchObject({ kind: "delivered", how: "plain" });
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(4));
    expect(at.answers().every(({ blocks }) => blocks.length === 0)).toBe(true);
    expect(at.answers().map(({ ts }) => ts)).toEqual(done.messages);
  });
});

describe("a place that is no more", () => {
  for (const code of ["is_archived", "channel_not_found", "message_not_found"]) {
    it(`ends a stream quietly (${code})`, async () => {
      const at = await open();
      const delivery = at.open();
      await grow(at, delivery, paragraphs(2));
      at.workspace.faults.refuse("chat.appendStream", code);
      delivery.show({ cards: [], pieces: paragraphs(4) });
      await expect.poll(() => delivery.unseen.aborted).toBe(true);
      expect(await delivery.finish(ending(paragraphs(4)))).toMatchObject({ kind: "gone", reason: code });
      expect(at.journal.at(-1)?.stage).toBe("closed");
      expect(at.count("chat.postMessage")).toBe(0);
    });
  }

  it("ends the answer quietly when the bot was removed", async () => {
    const at = await open();
    at.workspace.removeApp(at.place.channel);
    const delivery = at.open();
    delivery.show({ cards: [], pieces: paragraphs(1) });
    await expect.poll(() => delivery.unseen.aborted).toBe(true);
    expect(await delivery.finish(ending(paragraphs(4)))).toMatchObject({ kind: "gone", reason: "not_in_channel" });
  });

  it("ends the answer quietly when the question was deleted", async () => {
    const at = await open();
    await at.workspace.person(at.place.recipientUserId ?? "").delete(at.place.channel, at.place.questionTs);
    expect(await at.open().finish(ending(paragraphs(4)))).toMatchObject({ kind: "gone" });
  });
});

describe("a platform that is lost", () => {
  it("is told from a refusal: a revoked token stops the workspace", async () => {
    const at = await open();
    at.workspace.faults.revokeToken();
    await expect(at.open().finish(ending(paragraphs(4)))).rejects.toBeInstanceOf(WorkspaceRevoked);
  });

  it("is given up after a while, and nothing is lost", async () => {
    const at = await open({ deps: { patienceMs: 300 } });
    at.workspace.faults.fail("*", { times: 500 });
    await expect(at.open().finish(ending(paragraphs(4)))).rejects.toBeInstanceOf(Unreachable);
    at.workspace.faults.clear();
    const delivery = await at.resume();
    const done = await delivery.finish(ending(paragraphs(4)));
    expectRight(at, 4, done.messages);
  });

  it("stops a delivery whose journal is lost, and says so", async () => {
    const at = await open({ deps: { save: () => Promise.reject(new Error("The lease was lost.")) } });
    const delivery = at.open();
    delivery.show({ cards: [], pieces: paragraphs(1) });
    await expect(delivery.finish(ending(paragraphs(1)))).rejects.toThrow("The lease was lost.");
    expect(delivery.unseen.aborted).toBe(true);
    expect(at.answers()).toEqual([]);
  });
});

describe("any mixture of faults", () => {
  it("ends in one right answer", async () => {
    for (let seed = 1; seed <= 12; seed += 1) await expect(deliverUnderFaults(seed)).resolves.toBe(seed);
  });
});
