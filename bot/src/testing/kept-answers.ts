import type { Person } from "@threadlore/chat-workspace";
import { expect } from "vitest";
import { beginPinTask } from "../pins/pin-work.ts";
import { idle, KEYS, type Town, type TownOptions } from "./running-bot.ts";

/** A Wednesday, ten o'clock: everybody is at work. */
export const AT_WORK = Date.UTC(2026, 10, 25, 10);

/** A clock that goes from such a moment on, and can be put forward. */
export function clockFrom(start: number) {
  const began = Date.now();
  let ahead = 0;
  return {
    now: (): number => start + ahead + Date.now() - began,
    advance(ms: number): void {
      ahead += ms;
    },
  };
}

/** How a town has to be for answers to be kept in it, and looked at often. */
export function keepingTown(options: TownOptions = {}): TownOptions {
  return {
    isEmpty: true,
    ...options,
    env: { THREADLORE_INGEST_KEY: KEYS.owner, THREADLORE_PAIR: "none", ...options.env },
    parts: { pinTimes: { watchAfterMs: 50, spacingMs: 10 }, ...options.parts },
  };
}

/** Bo is named as the helper of #general. */
export const withHelper = (place: Town, more?: string): Promise<void> => withNamed(place, [place.bo], more);

/** Bo and Ada are named as helpers of #general. */
export const withHelpers = (place: Town, more?: string): Promise<void> => withNamed(place, [place.bo, place.ada], more);

async function withNamed({ setRules, general, bot }: Town, helpers: readonly Person[], more = ""): Promise<void> {
  const ids = helpers.map(({ user }) => user.id);
  setRules(`channels:\n  ${general.id}:\n    helpers: [${ids.join(", ")}]\n${more}`);
  await expect.poll(() => bot.context.rules().channels.get(general.id)?.helpers, { timeout: 20_000 }).toEqual(ids);
}

/** What is kept of somebody. */
export interface KeptIn {
  readonly ts: string;
  readonly thread: string;
}

/**
 * Has Bo's answer to a question of Ada's kept, as it is after their press. `ageMs`: so long ago they wanted that. Resolves
 * when it can be found.
 */
export async function keepAnswer(
  place: Town,
  { question, answer, ageMs = 600_000 }: { question: string; answer: string; ageMs?: number },
): Promise<KeptIn> {
  const { ada, bo, general, bot } = place;
  const { store, now } = bot.context;
  const thread = await ada.say(general.id, question);
  const ts = await bo.say(general.id, answer, { threadTs: thread });
  const { id: channel } = general;
  const at = now() - ageMs;
  const kept = { channel, ts, task: `CALL${ts}`, owner: bo.user.id, thread, until: ts, question };
  await store.saveKeptAnswer({ ...kept, keptAt: at, confirmedAt: at });
  const work = { channel, ts, by: bo.user.id, moment: now(), certain: true, how: "answer" as const };
  await beginPinTask(bot.context, "add", work, "kept for a test");
  await idle(place);
  await expect
    .poll(async () => (await store.findPin(channel, ts))?.state, { timeout: 20_000 })
    .toMatch(/accepted|indexed/);
  await place.knowledge.service.drain();
  return { ts, thread };
}
