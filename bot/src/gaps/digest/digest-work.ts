import * as z from "zod";
import type { RunResult, Task, TaskTools } from "@threadlore/inbox";
import type { BotContext, TaskWork } from "../../context.ts";
import { unlessAway } from "../book/away.ts";
import { postedBy, postOnce, withoutLateOnes } from "../telling/tell-once.ts";
import { askSomebody, CallWork } from "./ask-somebody.ts";
import { gatherDigest, saysNothing } from "./digest-facts.ts";
import { digestMessage } from "./digest-message.ts";
import { weekDone, weekIsDone } from "./digest-week.ts";

/** `event_type` of the digest's metadata. */
const DIGEST_EVENT = "threadlore_digest";
const SENT = "digest sent at";
const WEEK_MS = 7 * 86_400_000;

const DigestWork = z.discriminatedUnion("do", [z.object({ do: z.literal("post"), week: z.string() }), CallWork]);

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
  const { store, config, now } = context;
  const { adminChannel: channel } = config;
  const isPosted = postedBy(task) !== undefined;
  if (channel === undefined) return "stayed_out";
  const doing = { context, task, tools };
  const message = { channel, event: DIGEST_EVENT, text: "" };
  if (!isPosted) {
    if (work.week <= ((await weekDone(context)) ?? "")) return "gone";
    const facts = await gatherDigest(context, await digestSince(context));
    if (saysNothing(facts)) {
      await weekIsDone(context, work.week);
      return "stayed_out";
    }
    await postOnce(doing, { ...message, ...digestMessage(facts) });
    await store.remember(SENT, String(now()), { lasting: true });
  }
  await weekIsDone(context, work.week);
  return (await withoutLateOnes(doing, message)) ?? "done";
}
