import type { AnswerView } from "./answer-view.ts";
import { hasActiveThread, isDirect } from "./question.ts";
import type { Turn } from "./turn.ts";
import { postEphemeral } from "../post-message.ts";
import { ACTIONS, button } from "../slack/render/answer-actions.ts";
import { verbatim } from "../slack/render/text-blocks.ts";
import type { Delivery } from "../slack/deliver/delivery.ts";
import { SILENCE } from "../slack/transport/limits.ts";
import { platformError } from "../slack/read/people.ts";

/** Within a second people see that something happens, milliseconds. */
const SIGN_MS = 400;

/** Clients of workspaces without status lines; asked once in the life of the process. */
const withoutStatus = new WeakSet<object>();
const NEVER: ReadonlySet<string> = new Set(["unknown_method", "missing_scope", "feature_not_enabled"]);

/**
 * Says that it takes long: in the answer's card, in the status line where nothing of an answer shows before its end, and
 * with a way out to the asker alone.
 */
export function watchSilence(turn: Turn, delivery: Delivery, view: AnswerView) {
  const { slowMs, sayMs } = turn.context.patience.silence ?? SILENCE;
  let said: Promise<void> = Promise.resolve();
  let sign = setTimeout(begun, SIGN_MS);
  const slow = setTimeout(() => delivery.show(view.slow()), slowMs);
  const begin = () => sayMs.map((ms) => setTimeout(() => say(ms), ms));
  let long = begin();

  function begun(): void {
    // On a busy machine it takes longer to find out whether it is streamed.
    if (delivery.isUndecided) sign = setTimeout(begun, SIGN_MS);
    else showStatus("is looking for an answer…");
  }

  function showStatus(status: string): void {
    if (delivery.how !== "post" && delivery.how !== "plain") return;
    const { question, tools, context } = turn;
    const { assistant } = context.clients.posts;
    if (withoutStatus.has(assistant)) return;
    const show = async (): Promise<void> => {
      await said;
      await tools.hold();
      await assistant.threads.setStatus({ channel_id: question.channel, thread_ts: question.threadTs, status });
    };
    said = show().catch((error: unknown) => {
      const reason = platformError(error) ?? "";
      if (!NEVER.has(reason)) return context.log.warn("status not shown", { error });
      withoutStatus.add(assistant);
      context.log.info("no status lines", { reason });
    });
  }

  function say(ms: number): void {
    const seconds = Math.round(ms / 1_000);
    delivery.show(view.slow(`Nothing new from the knowledge server for ${seconds} seconds; Stop ends the wait`));
    showStatus(`has had nothing new from the knowledge server for ${seconds} seconds…`);
    // The answer does not wait for it.
    turn.context.later("offer a way out", () => offerStop(turn, delivery, seconds));
  }

  return {
    /** Something came: the silence begins anew. */
    sign(): void {
      clearTimeout(slow);
      for (const timer of long) clearTimeout(timer);
      long = begin();
    },
    /** Nothing is waited for any more; resolves when nothing more of it will be seen. */
    async end(): Promise<void> {
      for (const timer of [sign, slow, ...long]) clearTimeout(timer);
      await said;
    },
  };
}

/** To the asker alone, with a button: the platform shows its own Stop in direct conversations only. */
async function offerStop({ context, question, task, tools }: Turn, delivery: Delivery, seconds: number): Promise<void> {
  if (isDirect(question) || question.user === "") return;
  const giveUp = Math.round(SILENCE.giveUpMs / 1_000);
  const text =
    `The knowledge server has sent nothing new for ${seconds} seconds. After ${giveUp} seconds without a sign of life I ` +
    "give up and say so below your question, with a button to try again. You can also stop now.";
  // In a thread without replies nobody would see it.
  const isThread = hasActiveThread(question) || delivery.how === "stream";
  await tools.hold();
  await postEphemeral(context, {
    channel: question.channel,
    user: question.user,
    text,
    blocks: [verbatim(text), { type: "actions", elements: [button("Stop", ACTIONS.stop, task.id)] }],
    thread_ts: isThread ? question.threadTs : undefined,
  });
}
