import { seededRandom } from "@threadlore/testkit";
import { expect } from "vitest";

import { card, ending, numbers, openScene, paragraphNumbers, paragraphs, shownText } from "./delivery.harness.ts";
import { Delivery, resumeDelivery } from "./delivery.ts";
import { type Progress, readProgress } from "./delivery-seam.ts";

const METHODS = [
  "chat.startStream",
  "chat.appendStream",
  "chat.stopStream",
  "chat.postMessage",
  "chat.update",
] as const;
const REFUSALS = ["msg_too_long", "invalid_blocks", "internal_error", "message_not_in_streaming_state"] as const;

/**
 * Delivers an answer while whatever the seed chooses goes wrong: responses are lost, calls fail, are limited, refused or
 * late, streams end by themselves, and the process dies now and then. Expects the whole answer, in order,
 * once; resolves with the seed.
 */
export async function deliverUnderFaults(seed: number): Promise<number> {
  const random = seededRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const of = <One>(all: readonly One[]): One => all[below(all.length)] as One;
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const scene = await openScene({ workspace: { now }, timeoutMs: 400, deps: { settleMs: 40, patienceMs: 60_000 } });
  const { workspace, place, deps } = scene;
  try {
    const count = 3 + below(50);
    const pieces = paragraphs(count, 10 + below(80));
    let kept: Progress = { stage: "starting", messages: [] };
    /** A process: once dead its journal is not heard any more, and so nothing follows. */
    const born = () => {
      const life = { isDead: false };
      const save = async (progress: Progress): Promise<void> => {
        if (life.isDead) throw new Error("dead");
        kept = readProgress(JSON.parse(JSON.stringify(progress))) ?? kept;
      };
      return { life, deps: { ...deps, save } };
    };
    const fault = (): void => {
      const method = of(METHODS);
      switch (below(7)) {
        case 0:
        case 1:
          return workspace.faults.dropResponse(method);
        case 2:
          return workspace.faults.fail(method, { status: 503 });
        case 3:
          return workspace.faults.rateLimit(method, { retryAfterS: 0 });
        case 4:
          return workspace.faults.refuse(method, of(REFUSALS));
        case 5:
          return workspace.faults.dropResponse("conversations.replies");
        default:
          ahead += 301_000;
      }
    };
    let { life, deps: own } = born();
    let delivery = new Delivery(place, own);
    const steps = 2 + below(6);
    for (let step = 1; step <= steps; step += 1) {
      if (below(2) === 0) fault();
      const upTo = Math.ceil((count * step) / (steps + 1));
      delivery.show({ cards: [card("a"), card(`b${step}`)], pieces: pieces.slice(0, upTo) });
      await new Promise((resolve) => setTimeout(resolve, below(40)));
      if (below(6) === 0) {
        life.isDead = true;
        await delivery.finish(ending(pieces)).catch(() => {});
        workspace.faults.clear();
        ({ life, deps: own } = born());
        delivery = await resumeDelivery(place, kept, own);
      }
    }
    if (below(2) === 0) fault();
    const done = await delivery.finish(ending(pieces));
    const said = `seed ${seed}: ${scene.notes.join(" | ")}`;
    expect(done.kind, said).toBe("delivered");
    await workspace.until(() => paragraphNumbers(shownText(scene)).length === count).catch(() => {});
    expect(paragraphNumbers(shownText(scene)), said).toEqual(numbers(count));
    expect(scene.refusals(), said).toEqual([]);
    expect(kept.stage, said).toBe("closed");
    return seed;
  } finally {
    await workspace.close();
  }
}
