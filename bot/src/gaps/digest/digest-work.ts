import * as z from "zod";
import type { RunResult, Task, TaskTools } from "@threadlore/inbox";
import type { BotContext, TaskWork } from "../../context.ts";
import { unlessAway } from "../book/away.ts";
import { postedBy, postOnce, withoutLateOnes } from "../telling/tell-once.ts";
import { askSomebody, CallWork } from "./ask-somebody.ts";
import { changesAreTold } from "./digest-changed.ts";
import { gatherDigest, saysNothing } from "./digest-facts.ts";
import { digestMessage } from "./digest-message.ts";
import { weekDue } from "./digest-time.ts";
import { weekDone, weekIsDone } from "./digest-week.ts";

/** `event_type` of the digest's metadata. */
export const DIGEST_EVENT = "threadlore_digest";
const SENT = "digest sent at";
const WEEK_MS = 7 * 86_400_000;

const DigestWork = z.discriminatedUnion("do", [z.object({ do: z.literal("post"), week: z.string() }), CallWork]);

const gathered = (week: string): string => `digest gathered ${week}`;

/** Begins the digest of a week; once, whoever begins it how often. */
export function beginDigest({ inbox }: Pick<BotContext, "inbox">, week: string): Promise<boolean> {
  const body: z.infer<typeof DigestWork> = { do: "post", week };
  return inbox.accept({ key: `digest:${week}`, kind: "digest", partitionKey: "digest", body });
}

/** What was so since the digest before, or for a week. */
export async function digestSince({ store, now }: Pick<BotContext, "store" | "now">): Promise<number> {
  return Number((await store.recall(SENT)) ?? now() - WEEK_MS);
}

/** The digest, and what somebody chose in its form. */
export const digestWork: TaskWork = {
  run: (context, task, tools) => unlessAway(context, task, () => run(context, task, tools)),
  giveUp(context, task, error) {
    context.log.error("digest not posted", { task: task.id, error });
    return Promise.resolve();
  },
};

async function run(context: BotContext, task: Task, tools: TaskTools): Promise<RunResult> {
  const work = DigestWork.parse(task.body);
  if (work.do === "call") return askSomebody(context, work, tools);
  const { store, config, now, rules } = context;
  const { digest } = rules();
  const { adminChannel: channel } = config;
  const isPosted = postedBy(task) !== undefined;
  if (channel === undefined) return "stayed_out";
  const doing = { context, task, tools };
  const message = { channel, event: DIGEST_EVENT, text: "" };
  if (!isPosted) {
    // One that waited until the next is due is not posted beside it, nor one that is not wanted any more.
    const isOver = digest === undefined || weekDue(now(), digest) > work.week;
    if (isOver || work.week <= ((await weekDone(context)) ?? "")) return "gone";
    await store.rememberFirst(gathered(work.week), String(now()));
    const at = Number(await store.recall(gathered(work.week)));
    const facts = await gatherDigest(context, { since: await digestSince(context), at, channel, week: work.week });
    if (saysNothing(facts)) {
      await weekIsDone(context, work.week);
      return "stayed_out";
    }
    await postOnce(doing, { ...message, ...digestMessage(facts) });
  }
  // Of the moment it was gathered first: what happens from then on is the next one's, wherever this one was stopped.
  const since = await store.recall(gathered(work.week));
  if (since !== undefined) await store.remember(SENT, since, { lasting: true });
  await changesAreTold(context, work.week);
  await weekIsDone(context, work.week);
  return (await withoutLateOnes(doing, message)) ?? "done";
}
