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
import { Delivery } from "./delivery.ts";
import type { Piece } from "../render/pieces.ts";

let scene: Scene | undefined;
async function open(options?: SceneOptions): Promise<Scene> {
  scene = await openScene(options);
  return scene;
}
afterEach(async () => {
  await scene?.workspace.close();
  scene = undefined;
});

function table(words: string): Piece {
  return {
    kind: "table",
    block: { type: "table", rows: [[{ type: "raw_text", text: "Berth" }], [{ type: "raw_text", text: words }]] },
    text: `Berth\n${words}`,
  };
}

describe("a delivery", () => {
  it("streams an answer as it grows and ends it with its closing blocks", async () => {
    const at = await open();
    const delivery = at.open();
    const pieces = paragraphs(5);
    delivery.show({ cards: [card("search")], pieces: [] });
    await at.workspace.until(() => at.answers().length === 1);
    await grow(at, delivery, pieces, 4);
    const done = await delivery.finish(
      ending(pieces, { cards: [card("search", "complete")], remember: { conversation: "c-1" } }),
    );
    expect(done).toMatchObject({ kind: "delivered", how: "stream", messages: at.answers().map(({ ts }) => ts) });
    expect(at.answers()).toHaveLength(1);
    const [answer] = at.answers();
    // What it holds is known as it would be posted, cards and all.
    const last = done.kind === "gone" ? undefined : done.last;
    expect(last?.ts).toBe(answer?.ts);
    expect(last?.message.blocks?.map(({ type }) => type)).toEqual(["plan", "markdown", "context"]);
    expect(answer?.stream?.state).toBe("stopped");
    expect(answer?.stream?.tasks).toMatchObject([{ task_id: "search", status: "complete" }]);
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(5));
    expect(shownText(at)).toContain("Sources: none");
    expect(answer?.metadata?.event_payload).toEqual({
      task: at.deps.taskId,
      part: 1,
      last: true,
      run: expect.any(String),
      conversation: "c-1",
    });
    expect(at.refusals()).toEqual([]);
    expect(at.journal.map(({ stage }) => stage)).toEqual(["starting", "streaming", "closed"]);
  });

  it("posts an answer that was never shown before its end, with links left folded", async () => {
    const at = await open();
    const done = await at.open().finish(ending(paragraphs(3)));
    expect(done).toMatchObject({ kind: "delivered", how: "post" });
    expect(at.answers()).toHaveLength(1);
    expect(at.count("chat.startStream")).toBe(0);
    const posted = at.workspace.calls.find(({ method }) => method === "chat.postMessage");
    expect(String(posted?.args["unfurl_links"])).toBe("false");
    expect(String(posted?.args["unfurl_media"])).toBe("false");
    expect(posted?.args).not.toHaveProperty("link_names");
    expect(at.refusals()).toEqual([]);
  });

  it("starts one stream however many times it is shown at once, and keeps every word in order", async () => {
    const at = await open();
    const delivery = at.open();
    const pieces = paragraphs(40, 3);
    for (let count = 1; count <= pieces.length; count += 1)
      delivery.show({ cards: [], pieces: pieces.slice(0, count) });
    await at.workspace.until(() => at.answers().length > 0);
    for (let count = 1; count <= pieces.length; count += 1)
      delivery.show({ cards: [], pieces: pieces.slice(0, count) });
    await delivery.finish(ending(pieces));
    expect(at.count("chat.startStream")).toBe(1);
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(40));
    expect(at.refusals()).toEqual([]);
  });

  it("has one append under way at a time", async () => {
    const at = await open({ pace: { minFlushMs: 1 } });
    const delivery = at.open();
    const pieces = paragraphs(30, 3);
    await grow(at, delivery, pieces, 1);
    const held = at.workspace.faults.hold("chat.appendStream");
    for (let count = 2; count <= 29; count += 1) {
      delivery.show({ cards: [], pieces: pieces.slice(0, count) });
      if (count === 2) await held.came;
    }
    held.release();
    await at.workspace.until(() => paragraphNumbers(shownText(at)).length === 29);
    // Everything that came while the first was on its way went into the second.
    expect(at.count("chat.appendStream")).toBe(2);
    await delivery.finish(ending(pieces));
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(30));
  });

  it("goes on in a new message when one is full, and shows a long answer once", async () => {
    const at = await open();
    const delivery = at.open();
    const pieces = paragraphs(60, 60);
    const shown = pieces.slice(0, 45);
    await grow(at, delivery, pieces, 1);
    delivery.show({ cards: [], pieces: shown });
    await at.workspace.until(() => paragraphNumbers(shownText(at)).length === 45);
    const done = await delivery.finish(ending(pieces));
    expect(done.kind).toBe("delivered");
    expect(at.answers().length).toBeGreaterThan(2);
    expect(at.answers().map(({ ts }) => ts)).toEqual(done.messages);
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(60));
    for (const { text } of at.answers()) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9000);
    const marks = at.answers().map(({ metadata }) => metadata?.event_payload);
    expect(marks.map((mark) => mark?.["part"])).toEqual(numbers(marks.length).map((number) => number + 1));
    expect(marks.map((mark) => mark?.["last"])).toEqual(marks.map((_, index) => index === marks.length - 1));
    expect(at.refusals()).toEqual([]);
  });

  it("delivers sixty thousand characters that come in one piece, losing none", async () => {
    const at = await open();
    const words = Array.from({ length: 10_000 }, (_, index) => `w${String(index).padStart(4, "0")}`);
    const pieces: Piece[] = [{ kind: "text", text: words.join(" "), after: "block" }];
    const delivery = at.open();
    delivery.show({ cards: [], pieces });
    await at.workspace.until(() => at.answers().length === 2);
    await delivery.finish(ending(pieces));
    expect(shownText(at).match(/w\d{4}/g)).toEqual(words);
    expect(at.refusals()).toEqual([]);
  });

  it("shows three hundred cards in one message, the last of them counted", async () => {
    const at = await open();
    const delivery = at.open();
    const pieces = paragraphs(2);
    for (let count = 1; count <= 300; count += 1) {
      const cards = numbers(count).map((index) => card(`c${index}`, index < count - 1 ? "complete" : "in_progress"));
      delivery.show({ cards, pieces: [] });
      if (count % 60 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const cards = numbers(300).map((index) => card(`c${index}`, "complete"));
    await delivery.finish(ending(pieces, { cards }));
    const [answer] = at.answers();
    expect(at.answers()).toHaveLength(1);
    expect(answer?.stream?.tasks.length).toBeLessThanOrEqual(50);
    expect(answer?.stream?.tasks.at(-1)).toMatchObject({ status: "complete" });
    expect(String(answer?.stream?.tasks.at(-1)?.["title"])).toMatch(/^and 2\d\d more steps$/);
    expect(answer?.stream?.tasks.every(({ status }) => status === "complete")).toBe(true);
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1]);
    expect(at.refusals()).toEqual([]);
  });

  it("gives each table its own message and never cuts one", async () => {
    const at = await open();
    const delivery = at.open();
    const [first, second, third] = paragraphs(3);
    if (first === undefined || second === undefined || third === undefined) throw new Error("Three paragraphs.");
    const pieces = [first, table("north quay"), second, table("south quay"), third];
    delivery.show({ cards: [], pieces: pieces.slice(0, 3) });
    await at.workspace.until(() => shownText(at).includes("Paragraph1x"));
    await delivery.finish(ending(pieces));
    const text = shownText(at);
    for (const words of ["north quay", "south quay"]) expect(text.split(words)).toHaveLength(2);
    expect(paragraphNumbers(text)).toEqual([0, 1, 2]);
    expect(at.refusals()).toEqual([]);
  });

  it("goes on in a new message before the platform ends an old one, cards included", async () => {
    const clock = heldClock(Date.now());
    const at = await open({ clock, workspace: { now: clock.now } });
    const delivery = at.open();
    const pieces = paragraphs(3);
    delivery.show({ cards: [card("long")], pieces: pieces.slice(0, 1) });
    await expect.poll(() => at.journal.at(-1)?.stage).toBe("streaming");
    await clock.move(240_000);
    await at.workspace.until(() => at.answers()[0]?.stream?.state === "stopped");
    for (let turn = 0; turn < 20 && at.answers().length < 2; turn += 1) {
      await clock.move(1000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(at.answers()).toHaveLength(2);
    expect(at.answers()[0]?.stream?.tasks).toMatchObject([{ task_id: "long", status: "complete" }]);
    expect(at.answers()[1]?.stream?.tasks).toMatchObject([{ task_id: "long", status: "in_progress" }]);
    await delivery.finish(ending(pieces, { cards: [card("long", "complete")] }));
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1, 2]);
    expect(at.answers()).toHaveLength(2);
  });

  it("replaces what it showed when the answer was rewritten", async () => {
    const at = await open();
    const delivery = at.open();
    const before = paragraphs(50, 60);
    await grow(at, delivery, before, 1);
    delivery.show({ cards: [], pieces: before });
    await at.workspace.until(() => paragraphNumbers(shownText(at)).length === 50);
    const count = at.answers().length;
    expect(count).toBeGreaterThan(2);
    const after: Piece[] = [{ kind: "text", text: "It leaves at seven.\n\n", after: "block" }];
    const done = await delivery.finish(ending(after, { rewritten: true }));
    expect(at.answers().map(({ ts }) => ts)).toEqual(done.messages);
    expect(at.answers()).toHaveLength(1);
    expect(shownText(at)).toContain("It leaves at seven.");
    expect(paragraphNumbers(shownText(at))).toEqual([]);
    expect(at.refusals()).toEqual([]);
  });

  it("shows a failure below what is there already", async () => {
    const at = await open();
    const delivery = at.open();
    await grow(at, delivery, paragraphs(2));
    const done = await delivery.fail({ text: "The knowledge service went away. Ask again in a minute." });
    expect(done.kind).toBe("delivered");
    expect(at.answers()).toHaveLength(1);
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1]);
    expect(shownText(at)).toContain("The knowledge service went away.");
    expect(at.answers()[0]?.stream?.state).toBe("stopped");
  });

  it("posts a failure when nothing is there yet", async () => {
    const at = await open();
    await at.open().fail({ text: "The key was refused." });
    expect(at.answers().map(({ text }) => text)).toEqual(["The key was refused."]);
  });

  it("ends once, whoever ends it first", async () => {
    const at = await open();
    const delivery = at.open();
    await grow(at, delivery, paragraphs(1));
    const [one, other] = await Promise.all([delivery.finish(ending(paragraphs(2))), delivery.stop()]);
    expect(other).toEqual(one);
    expect(at.count("chat.stopStream")).toBe(1);
    delivery.show({ cards: [], pieces: paragraphs(3) });
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1]);
  });
});

describe("Stop", () => {
  it("is noticed when the platform refuses to append, and nothing is posted after it", async () => {
    const at = await open();
    const delivery = at.open();
    const pieces = paragraphs(6);
    await grow(at, delivery, pieces, 2);
    const asker = at.place.recipientUserId ?? "";
    await at.workspace.person(asker).stop(at.place.channel, at.place.threadTs);
    delivery.show({ cards: [], pieces: pieces.slice(0, 4) });
    await new Promise((resolve) => delivery.stoppedByUser.addEventListener("abort", resolve, { once: true }));
    const done = await delivery.finish(ending(pieces));
    expect(done).toMatchObject({ kind: "stopped", how: "stream" });
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1]);
    expect(at.count("chat.postMessage")).toBe(0);
    expect(at.answers()[0]?.stream?.state).toBe("stopped");
  });

  it("closes the stream with a last word and posts nothing", async () => {
    const at = await open();
    const delivery = at.open();
    await grow(at, delivery, paragraphs(2));
    const done = await delivery.stop([{ type: "context", elements: [{ type: "mrkdwn", text: "Stopped." }] }]);
    expect(done.kind).toBe("stopped");
    expect(shownText(at)).toContain("Stopped.");
    expect(at.answers()).toHaveLength(1);
  });

  it("shows nothing at all when it comes before the first sign", async () => {
    const at = await open();
    expect(await at.open().stop()).toMatchObject({ kind: "stopped", messages: [] });
    expect(at.answers()).toEqual([]);
  });
});

describe("a private answer", () => {
  it("is shown to the asker only, at its end", async () => {
    const at = await open({ private: true });
    const delivery = at.open();
    expect(delivery.how).toBe("ephemeral");
    delivery.show({ cards: [], pieces: paragraphs(1) });
    const done = await delivery.finish(ending(paragraphs(2)));
    expect(done).toMatchObject({ kind: "delivered", how: "ephemeral" });
    expect(at.answers()).toEqual([]);
    const seen = at.workspace.person(at.place.recipientUserId ?? "").ephemerals(at.place.channel);
    expect(paragraphNumbers(seen.map(({ shown }) => shown).join("\n"))).toEqual([0, 1]);
    expect(at.refusals()).toEqual([]);
  });

  it("falls back to text where its blocks are refused", async () => {
    const at = await open({ private: true });
    at.workspace.faults.refuse("chat.postEphemeral", "invalid_blocks");
    await at.open().finish(ending(paragraphs(2)));
    const seen = at.workspace.person(at.place.recipientUserId ?? "").ephemerals(at.place.channel);
    expect(paragraphNumbers(seen.map(({ text }) => text).join("\n"))).toEqual([0, 1]);
  });
});

describe("without streaming", () => {
  it("posts, and remembers that the workspace has none", async () => {
    const at = await open();
    at.workspace.faults.refuse("chat.startStream", "feature_not_enabled", { times: 9 });
    const delivery = at.open();
    delivery.show({ cards: [], pieces: paragraphs(1) });
    await at.workspace.until(() => at.off.size > 0);
    expect(delivery.how).toBe("post");
    await delivery.finish(ending(paragraphs(2)));
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1]);
    expect([...at.off.keys()]).toEqual([at.place.team]);
    const { place, deps } = await at.another();
    const next = new Delivery(place, deps);
    next.show({ cards: [], pieces: paragraphs(1) });
    await next.finish(ending(paragraphs(1)));
    expect(at.count("chat.startStream")).toBe(1);
  });

  it("remembers a channel that takes no streams, and streams elsewhere", async () => {
    const at = await open();
    at.workspace.faults.refuse("chat.startStream", "channel_type_not_supported");
    const delivery = at.open();
    delivery.show({ cards: [], pieces: paragraphs(1) });
    await expect.poll(() => delivery.how).toBe("post");
    await delivery.finish(ending(paragraphs(1)));
    expect([...at.off.keys()]).toEqual([`${at.place.team}:${at.place.channel}`]);
    const { place, deps } = await at.another();
    const next = new Delivery(place, deps);
    next.show({ cards: [], pieces: paragraphs(1) });
    await at.workspace.until(() => at.workspace.messages(place.channel, place.threadTs).length === 2);
    expect(await next.finish(ending(paragraphs(1)))).toMatchObject({ how: "stream" });
  });

  it("posts what is above the minute's budget of streams", async () => {
    const at = await open({ pace: { startsPerMinute: 2 } });
    const places = [{ place: at.place, deps: at.deps }, await at.another(), await at.another()];
    const ways = await Promise.all(
      places.map(async ({ place, deps }) => {
        const delivery = new Delivery(place, deps);
        delivery.show({ cards: [], pieces: paragraphs(1) });
        // Until it has turned out which way it goes.
        const messages = () => at.workspace.messages(place.channel, place.threadTs);
        await at.workspace.until(() => delivery.how === "post" || messages().length === 2);
        const done = await delivery.finish(ending(paragraphs(2)));
        return done.kind === "delivered" ? done.how : done.kind;
      }),
    );
    expect(ways.toSorted()).toEqual(["post", "stream", "stream"]);
  });
});
