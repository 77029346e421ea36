import { afterEach, describe, expect, it } from "vitest";

import {
  card,
  ending,
  grow,
  numbers,
  openScene,
  paragraphNumbers,
  paragraphs,
  type Scene,
  shownText,
} from "./delivery.harness.ts";
import { Delivery, resumeDelivery } from "./delivery.ts";
import { type Progress, readProgress } from "./delivery-seam.ts";

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.workspace.close();
  scene = undefined;
});

/** A scene whose first delivery dies: from the moment `dies` says so, its journal and the platform hear no more of it. */
async function openMortal(): Promise<{ at: Scene; kept: () => Progress; die: () => void }> {
  const at = await openScene();
  scene = at;
  let progress: Progress = { stage: "starting", messages: [] };
  let isDead = false;
  const never = new Promise<never>(() => {});
  const mortal: Scene = {
    ...at,
    open: () =>
      new Delivery(at.place, {
        ...at.deps,
        async save(next) {
          if (isDead) await never;
          progress = structuredClone(next);
        },
      }),
  };
  return {
    at: mortal,
    kept: () => progress,
    die() {
      isDead = true;
    },
  };
}

describe("a delivery of a process that died", () => {
  it("after its first sign is finished in the same message", async () => {
    const { at, kept } = await openMortal();
    const delivery = at.open();
    await grow(at, delivery, paragraphs(3));
    expect(kept().stage).toBe("streaming");
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    expect(resumed.already).toBeUndefined();
    expect(resumed.how).toBe("post");
    resumed.show({ cards: [card("again")], pieces: paragraphs(1) });
    const done = await resumed.finish(ending(paragraphs(6)));
    expect(done.messages).toEqual(at.answers().map(({ ts }) => ts));
    expect(at.answers()).toHaveLength(1);
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(6));
    expect(at.count("chat.postMessage")).toBe(0);
    expect(at.refusals()).toEqual([]);
  });

  it("between the start of its stream and the record of it is found in the thread", async () => {
    const { at, kept, die } = await openMortal();
    const delivery = at.open();
    await expect.poll(() => kept().stage).toBe("starting");
    die();
    delivery.show({ cards: [], pieces: paragraphs(1) });
    await at.workspace.until(() => at.answers().length === 1);
    expect(kept()).toEqual({ stage: "starting", messages: [] });
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    const done = await resumed.finish(ending(paragraphs(6)));
    expect(done.messages).toHaveLength(1);
    expect(at.answers()).toHaveLength(1);
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(6));
  });

  it("before anything was shown begins anew, streaming", async () => {
    const { at, kept } = await openMortal();
    at.open();
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    expect(resumed.how).toBe("stream");
    await grow(at, resumed, paragraphs(2));
    expect(await resumed.finish(ending(paragraphs(3)))).toMatchObject({ how: "stream" });
    expect(at.answers()).toHaveLength(1);
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(3));
  });

  it("after its last call but before the record of it has nothing left to do", async () => {
    const { at, kept, die } = await openMortal();
    const delivery = at.open();
    await grow(at, delivery, paragraphs(2));
    die();
    void delivery.finish(ending(paragraphs(4)));
    await at.workspace.until(() => at.answers()[0]?.stream?.state === "stopped");
    expect(kept().stage).toBe("streaming");
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    expect(resumed.already).toMatchObject({ kind: "delivered", messages: at.answers().map(({ ts }) => ts) });
    expect(await resumed.finish(ending(paragraphs(9)))).toEqual(resumed.already);
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(4));
  });

  it("in the middle of posting several messages replaces those and posts the missing ones", async () => {
    const { at, kept, die } = await openMortal();
    const pieces = paragraphs(60, 60);
    const delivery = at.open();
    await expect.poll(() => kept().stage).toBe("starting");
    at.workspace.faults.delay("chat.postMessage", 60, { times: 50 });
    void delivery.finish(ending(pieces));
    await at.workspace.until(() => at.answers().length === 2);
    die();
    at.workspace.faults.clear();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = at.answers().length;
    const again = paragraphs(40, 60);
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    const done = await resumed.finish(ending(again));
    expect(before).toBeGreaterThanOrEqual(2);
    expect(done.messages).toEqual(at.answers().map(({ ts }) => ts));
    expect(paragraphNumbers(shownText(at))).toEqual(numbers(40));
    expect(shownText(at).split("Sources: none")).toHaveLength(2);
    expect(at.refusals()).toEqual([]);
  });

  it("with more messages than the answer needs now deletes the others", async () => {
    const { at, kept } = await openMortal();
    const delivery = at.open();
    const pieces = paragraphs(50, 60);
    await grow(at, delivery, pieces, 1);
    delivery.show({ cards: [], pieces });
    await at.workspace.until(() => paragraphNumbers(shownText(at)).length === 50);
    await expect.poll(() => kept().messages.length === at.answers().length).toBe(true);
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    await resumed.finish(ending(paragraphs(2)));
    expect(at.answers()).toHaveLength(1);
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1]);
  });

  it("fails in the same message", async () => {
    const { at, kept } = await openMortal();
    await grow(at, at.open(), paragraphs(2));
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    await resumed.fail({ text: "The answer was interrupted. Ask again." });
    expect(at.answers().map(({ shown }) => shown)).toEqual(["The answer was interrupted. Ask again."]);
  });

  it("and finished is left alone", async () => {
    const { at, kept } = await openMortal();
    const delivery = at.open();
    await grow(at, delivery, paragraphs(2));
    const done = await delivery.finish(ending(paragraphs(3)));
    const calls = at.workspace.calls.length;
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    const { kind, messages } = done;
    expect(resumed.already).toMatchObject({ kind, messages });
    expect(await resumed.stop()).toEqual(resumed.already);
    expect(at.workspace.calls.length).toBe(calls);
  });

  it("in a place that is no more is over", async () => {
    const { at, kept } = await openMortal();
    await grow(at, at.open(), paragraphs(2));
    at.workspace.removeApp(at.place.channel);
    at.workspace.faults.refuse("conversations.replies", "channel_not_found", { times: 5 });
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    expect(resumed.already).toMatchObject({ kind: "gone" });
  });

  it("does not touch what the bot said for another task or before the question", async () => {
    const { at, kept } = await openMortal();
    const other = new Delivery(at.place, { ...at.deps, taskId: "OTHER" });
    await grow(at, other, paragraphs(1));
    await other.finish(ending([{ kind: "text", text: "Another answer.\n\n", after: "block" }], { rewritten: true }));
    const resumed = await resumeDelivery(at.place, kept(), at.deps);
    await resumed.finish(ending(paragraphs(2)));
    expect(at.answers()).toHaveLength(2);
    expect(shownText(at)).toContain("Another answer.");
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1]);
  });
});

describe("a stream whose start was lost", () => {
  it("is not mistaken for another message of the bot", async () => {
    const at = await openScene();
    scene = at;
    await at.deps.clients.posts.chat.postMessage({
      channel: at.place.channel,
      thread_ts: at.place.threadTs,
      text: "Somebody was called.",
      blocks: [{ type: "section", text: { type: "mrkdwn", text: "Somebody was called." } }],
    });
    at.workspace.faults.dropResponse("chat.startStream");
    const delivery = at.open();
    await grow(at, delivery, paragraphs(2));
    const done = await delivery.finish(ending(paragraphs(3)));
    expect(done.messages).toHaveLength(1);
    expect(at.answers()).toHaveLength(2);
    expect(shownText(at)).toContain("Somebody was called.");
    expect(paragraphNumbers(shownText(at))).toEqual([0, 1, 2]);
  });
});

describe("what was kept", () => {
  it("is read again only when it is progress", () => {
    const progress: Progress = { stage: "streaming", messages: [{ ts: "1.2", how: "stream" }] };
    expect(readProgress(JSON.parse(JSON.stringify(progress)))).toEqual(progress);
    expect(readProgress(null)).toBeUndefined();
    expect(readProgress({ stage: "gone fishing", messages: [] })).toBeUndefined();
  });
});
