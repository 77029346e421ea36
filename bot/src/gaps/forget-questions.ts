import { placeOf, taskKey } from "@threadlore/inbox";
import type { BotContext } from "../context.ts";
import type { Subcommand } from "../ask/entry/command.ts";
import type { MessageEvent } from "../slack/read/message-event.ts";
import { withdrawGoodAnswers } from "./good-answers.ts";
import { rewriteWithout } from "./keep/asked-alike.ts";
import { forgetCallsOf } from "./calls/call-forget.ts";
import { askerOf, type GapWork, partitionOf } from "./note-question.ts";

/** The message of a question was edited or deleted: what is noted of it follows. */
export async function hearOfNoted(context: BotContext, event: MessageEvent): Promise<void> {
  const { kind, channel, message, before, happenedAt } = event;
  if (event.isMention || (kind !== "edited" && kind !== "deleted")) return;
  // Previews of links and reactions also change a message; its words are what counts.
  if (kind === "edited" && before !== undefined && before.words === message.words) return;
  const place = { team: context.self.teamId, channel, ts: message.ts };
  // It may be on its way into the book.
  if ((await context.store.findByKey(taskKey("question", place))) === undefined) return;
  const body: GapWork = { do: "changed", place: placeOf(place) };
  const key = taskKey("gap", place, `${kind}-${happenedAt}`);
  await context.inbox.accept({ key, kind: "gap", partitionKey: partitionOf(placeOf(place)), body });
}

const forgottenName = (asker: string): string => `gaps forgotten:${asker}`;

/** When somebody wanted all their questions forgotten, milliseconds since 1970: what was to be noted before is not. */
export async function forgottenAt({ store }: Pick<BotContext, "store">, asker: string): Promise<number> {
  return Number((await store.recall(forgottenName(asker))) ?? 0);
}

/**
 * Forgets all of somebody's questions that wait, here at once, and at the server as soon as it can be told; and that people
 * were asked for them. How many.
 */
export async function forgetAsker(context: BotContext, user: string): Promise<number> {
  const { store, inbox, self, now } = context;
  const asker = askerOf({ team: self.teamId, user });
  const at = now();
  await store.remember(forgottenName(asker), String(at));
  const body: GapWork = { do: "forget asker", asker };
  await inbox.accept({ key: `gap:asker:${asker}:${at}`, kind: "gap", partitionKey: `gap:asker:${asker}`, body });
  const waiting = await store.waitingOf(asker);
  await rewriteWithout(context, waiting);
  const refs = waiting.map(({ ref }) => ref);
  const calls = await forgetCallsOf(context, user, at);
  await store.forgetWaiting(refs);
  return new Set([...refs, ...calls]).size;
}

const GOOD_ANSWERS =
  "Good answers to questions of yours that the knowledge server keeps for tests are forgotten, too, as soon as it can be told.";

/** `/ask gaps forget`: the person waits for nothing any more. */
export const forgetGapsCommand: Subcommand = {
  word: "gaps forget",
  does: "forgets your questions that wait for an answer, and good answers to yours that are kept for tests.",
  async run(context, { user }) {
    const count = await forgetAsker(context, user);
    if (count === 0) return `None of your questions waits for an answer. ${GOOD_ANSWERS}`;
    const them = count === 1 ? "One question of yours is" : `${count} questions of yours are`;
    return `${them} forgotten. You are not told when somebody answers. ${GOOD_ANSWERS}`;
  },
};

/**
 * Everybody's questions, at the server too, as far as it can be told: the app was uninstalled. Answers whether good answers
 * are gone there; that they are not is to be remembered once all else is forgotten.
 */
export async function forgetEverybody(
  context: Pick<BotContext, "store" | "gaps" | "log" | "servers">,
): Promise<{ readonly areGoodAnswersGone: boolean }> {
  const { store, gaps, log } = context;
  let left = 0;
  const areGoodAnswersGone = await withdrawGoodAnswers(context).then(
    () => true,
    (error: unknown) => {
      log.error("good answers left at the server", { error });
      return false;
    },
  );
  for (const asker of await store.askersWaiting()) {
    await gaps.forgetAsker(asker).catch(() => {
      left += 1;
    });
  }
  if (left > 0) log.error("questions left at the server", { count: left });
  return { areGoodAnswersGone };
}
