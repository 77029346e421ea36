import type { BotContext } from "../../context.ts";

const DONE = "digest of week";

/** The newest week whose digest was posted, or had nothing to say; undefined: none ever was. */
export const weekDone = ({ store }: Pick<BotContext, "store">): Promise<string | undefined> => store.recall(DONE);

/** No digest of this week, or of one before, is posted any more. */
export async function weekIsDone(context: Pick<BotContext, "store">, week: string): Promise<void> {
  const done = (await weekDone(context)) ?? "";
  if (week > done) await context.store.remember(DONE, week, { lasting: true });
}
