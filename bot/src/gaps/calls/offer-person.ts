import type { KnownBlock } from "@slack/types";
import type { AnswerBehind } from "../../ask/presses.ts";
import { placeSettings } from "../../ask/presses.ts";
import { section } from "../../ask/block-kit.ts";
import type { BotContext } from "../../context.ts";
import { postEphemeral } from "../../post-message.ts";
import { areHelpersNamed } from "./call-whom.ts";
import { ACTIONS, button } from "../../slack/render/answer-actions.ts";

const WORDS = "Sorry that it did not help. It is noted. Do you want to ask a person?";

/**
 * Whoever marked the answer to their question as bad is offered a person, once: where nobody is named as a helper nothing else below it
 * does. Best effort, as everything that one person alone sees.
 */
export async function offerPerson(context: BotContext, { taskId, question }: AnswerBehind): Promise<void> {
  const { store, now } = context;
  const { channel, user, threadTs } = question;
  const { settings } = await placeSettings(context, channel);
  const isOffered = areHelpersNamed(context.rules(), question, settings.helpers);
  if (isOffered || (await store.findCall(taskId))?.ts !== undefined) return;
  if (!(await store.rememberFirst(`person offered:${taskId}`, String(now())))) return;
  const actions: KnownBlock = { type: "actions", elements: [button("Ask a person", ACTIONS.human, taskId)] };
  const where = { channel, user, ...(!question.private && { thread_ts: threadTs }) };
  await postEphemeral(context, { ...where, text: WORDS, blocks: [section(WORDS), actions] }).catch(() => undefined);
}

/** What administrators see of a question for which nobody can be asked; empty where nobody is told. */
export function digestWords({ rules, config }: Pick<BotContext, "rules" | "config">): string {
  const isTold = config.adminChannel !== undefined && rules().digest !== undefined;
  return isTold ? " Those who run me see it in their weekly digest." : "";
}
