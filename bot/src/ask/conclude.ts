import { type Answer, linksOf } from "@threadlore/ask";
import type { KnownBlock } from "@slack/types";
import type { Server } from "../context.ts";
import { interruptionOf, type RunResult } from "@threadlore/inbox";
import { publicWords } from "../knowledge-server/failure-classes.ts";
import { alertAdmin } from "../knowledge-server/server-alerts.ts";
import { noteFailure } from "../knowledge-server/server-trouble.ts";
import type { AskingKey, Settings } from "../rules/rules.ts";
import type { Delivery, Ending } from "../slack/deliver/delivery-seam.ts";
import { closingBlocks, context as contextBlock } from "../slack/render/blocks.ts";
import { type AnswerView, failureMessage, noticeMessage } from "./answer-view.ts";
import type { Parent } from "./conversation.ts";
import { whyUnwelcome } from "./decision.ts";
import type { Material, Surroundings } from "./material.ts";
import { stopMark } from "./question.ts";
import { outcomeOf, record } from "./record.ts";
import type { Turn } from "./turn.ts";
import { tellPrivately, withDelivery } from "./visible.ts";

/** How a question is asked, and where its answer is shown. */
export interface Exchange {
  readonly key: AskingKey;
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  readonly server: Server;
  readonly parent: Parent;
  readonly delivery: Delivery;
}

/** The one end of an answer, whatever it is. */
export async function conclude(
  turn: Turn,
  exchange: Exchange & { readonly view: AnswerView; readonly material: Material },
  answer: Answer,
): Promise<RunResult> {
  const { context, task, tools } = turn;
  const { delivery, key, view, material } = exchange;
  const stopped = answer.status === "stopped";
  const ending = stopped ? "stopped" : answer.text.trim() === "" || answer.status === "failed" ? "failed" : "answered";
  await turn.save({ conversation: { ...answer.conversation }, ending });
  if (stopped || interruptionOf(tools.signal) === "stopped") {
    await turn.note("Somebody pressed Stop.");
    // Whatever happens it is to be stopped: what cannot be found out now must not leave it open.
    const words = await whyUnwelcome(turn, exchange.surroundings).catch(() => undefined);
    if (words !== undefined) return refuseInstead(turn, delivery, words);
    return record(turn, await delivery.stop(await stopTrace(turn, answer)), "stopped", key);
  }
  if (answer.failure !== undefined) {
    await noteFailure(turn, answer);
    if (isServerTrouble(answer)) await alertAdmin(context, { ...answer.failure, outcome: "unavailable" });
  }
  const unwelcome = await whyUnwelcome(turn, exchange.surroundings);
  if (unwelcome !== undefined) return refuseInstead(turn, delivery, unwelcome);
  if (ending === "failed" && answer.text.trim() === "") {
    delivery.show(view.failed());
    return outcomeOf(await delivery.fail(failureMessage(task.id, publicWords(answer))), "failed");
  }
  const delivered = await delivery.finish(
    view.end(answer, {
      taskId: task.id,
      private: turn.question.private,
      helpers: exchange.settings.helpers.length > 0,
      remarks: material.remarks,
    }),
  );
  return record(turn, delivered, ending, key);
}

/** Failures that somebody who runs the server has to look at. */
function isServerTrouble({ failure }: Answer): boolean {
  const code = failure?.code ?? "";
  return ["auth", "unavailable", "protocol", "AUTH_ERROR"].includes(code) || /^E[A-Z]+$/.test(code);
}

/** What stands below an answer that somebody stopped: who that was, the sources so far, and a way to ask again. */
async function stopTrace({ context, task }: Turn, answer: Answer): Promise<KnownBlock[]> {
  const { store, config } = context;
  const user = await store.recall(stopMark(task.lane), { since: task.acceptedAt }).catch(() => undefined);
  const links = linksOf(answer, { localHosts: config.slack.apiUrl !== undefined });
  return [
    ...(user === undefined ? [] : [contextBlock([`Stopped by <@${user}>.`])]),
    ...closingBlocks({ ...answer, status: "stopped" }, links, {
      ref: task.id,
      feedback: false,
      buttons: ["regenerate"],
    }),
  ];
}

/** Says why there is no answer, in the one place for it. */
export async function refuse(turn: Turn, words: string): Promise<RunResult> {
  if (turn.question.begins !== undefined && turn.progress.began === undefined) {
    // There is no thread yet that the reason could stand in.
    await tellPrivately(turn, words);
    return "refused";
  }
  const wasBegun = turn.progress.delivery !== undefined;
  await turn.save({ ending: "refused" });
  return withDelivery(turn, async (delivery) => {
    if (delivery.already !== undefined) return outcomeOf(delivery.already, "refused");
    // What an earlier attempt had shown of an answer is not for these eyes any more.
    const shown = wasBegun ? delivery.finish(insteadOfAnswer(words)) : delivery.fail(noticeMessage(words));
    return outcomeOf(await shown, "refused");
  });
}

/** A reason in the place of everything that was shown. */
function insteadOfAnswer(words: string): Ending {
  const notice = noticeMessage(words);
  return {
    cards: [],
    pieces: [],
    closing: [],
    messages: () => [notice],
    plain: () => [{ text: notice.text }],
    text: notice.text,
    withdrawn: true,
  };
}

/** Shows a reason where an answer had begun. */
export async function refuseInstead(turn: Turn, delivery: Delivery, words: string): Promise<RunResult> {
  await turn.save({ ending: "refused" });
  return outcomeOf(await delivery.finish(insteadOfAnswer(words)), "refused");
}

/** The question is gone, so what was shown of its answer goes too. */
export async function takeBack({ context, question, tools }: Turn, delivery: Delivery): Promise<void> {
  const { messages } = await delivery.stop();
  for (const ts of messages) {
    await tools.hold();
    await context.clients.posts.chat
      .delete({ channel: question.channel, ts })
      .catch((error: unknown) => context.log.warn("answer not taken back", { channel: question.channel, ts, error }));
  }
}
