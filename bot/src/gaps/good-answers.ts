import type { GoodAnswer } from "@threadlore/client/models";
import type { RunResult } from "@threadlore/inbox";
import type { BotContext } from "../context.ts";
import { isRefused } from "../knowledge-server/not-offered.ts";

/** Under this the reference is remembered by which the server may know a good answer: that of the question at a place. */
const nameOf = (place: string): string => `good answer:${place}`;

/** Tells the server of a good answer to the question at a place, `team:channel:ts`; what was begun can be taken back as well. */
export async function tellGoodAnswer(
  { servers, store }: Pick<BotContext, "servers" | "store">,
  place: string,
  answer: GoodAnswer,
): Promise<void> {
  await settleOwed({ servers, store });
  await store.remember(nameOf(place), answer.ref);
  await unlessRefused(() => servers.ingest.goodAnswers.note(answer));
}

/** Takes back what was told of the question at a place: its words changed, it is gone, or marked as bad. */
export async function withdrawGoodAnswer(
  { servers, store }: Pick<BotContext, "servers" | "store">,
  place: string,
): Promise<RunResult> {
  const ref = await store.recall(nameOf(place));
  if (ref === undefined || ref === NONE) return "stayed_out";
  await unlessRefused(() => servers.ingest.goodAnswers.forget(ref));
  await store.remember(nameOf(place), NONE);
  return "done";
}

/** Nothing is told of the question at this place any more. */
const NONE = "";

/** Takes back everything this bot told; throws where the server cannot be told that. */
export async function withdrawGoodAnswers({ servers }: Pick<BotContext, "servers">): Promise<void> {
  await unlessRefused(() => servers.ingest.goodAnswers.forgetAll());
}

/** Under this it is remembered that the server is still to be told to forget all of them. */
const OWED = "good answers to be forgotten";

/** The server could not be told to forget them when the app was uninstalled: a bot that runs here again does so first. */
export async function oweGoodAnswers({ store }: Pick<BotContext, "store">): Promise<void> {
  await store.remember(OWED, OWED, { lasting: true });
}

/** Does what an earlier bot here could not; before anything new is told. Throws where the server cannot be told that. */
export async function settleOwed({ servers, store }: Pick<BotContext, "servers" | "store">): Promise<void> {
  if (((await store.recall(OWED)) ?? NONE) === NONE) return;
  await withdrawGoodAnswers({ servers });
  await store.remember(OWED, NONE);
}

/** A server that keeps none, or not for this key, is told nothing; one that is away is told later. */
async function unlessRefused(tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}
