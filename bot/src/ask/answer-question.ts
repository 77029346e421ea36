import { backoffMs } from "@threadlore/client/delay";
import { type Answer, failureCause, isFinal } from "@threadlore/ask";
import { chooseKey, noteRefusal } from "../accounts/choose-key.ts";
import { forgetLeftovers } from "../accounts/disconnect.ts";
import { isOwn, type QuestionKey } from "../accounts/question-key.ts";
import { watchConnection } from "../accounts/still-connected.ts";
import type { TaskWork } from "../context.ts";
import { interruptionOf, type Outcome, type RunResult, TaskInterrupted } from "@threadlore/inbox";
import { alertAdmin } from "../knowledge-server/server-trouble.ts";
import { platformError } from "../slack/read/people.ts";
import { isUnanswered, MessageRefused, WorkspaceRevoked } from "../slack/transport/refusals.ts";
import { createAnswerView, failureMessage } from "./answer-view.ts";
import { answersTo, type Attempt, forgetConversation, isConversationLost } from "./asking.ts";
import { answerTalk, conclude, record, refuse, refuseDisconnected, takeBack } from "./conclude.ts";
import { decideOn, whyTooLong } from "./decision.ts";
import { gather, surroundingsOf } from "./material/material.ts";
import { isDirect } from "./question.ts";
import { watchSilence } from "./silence.ts";
import { QuestionChanges } from "./question-changes.ts";
import type { AskingKey } from "../rules/settings.ts";
import { beginTurn, NO_CONVERSATION, type Turn } from "./turn.ts";
import { isBegun } from "./beginning.ts";
import { withDelivery } from "./visible.ts";

/** Questions, and questions asked again: from what was kept to one visible outcome. */
export const questionWork: TaskWork = {
  async run(context, task, tools) {
    const turn = beginTurn(context, task, tools);
    try {
      const result = await answerQuestion(turn);
      if (typeof result === "string") {
        await forgetLeftovers(turn);
        ended(turn, result);
      }
      return result;
    } catch (error) {
      // Nothing is wrong with the question: it waits until the platform answers again, for hours if need be.
      if (isUnanswered(error))
        return {
          later:
            context.now() + backoffMs(task.attempts - 1, { baseMs: context.patience.restMs ?? 5_000, capMs: 600_000 }),
        };
      throw error;
    }
  },
  async giveUp(context, task, error, tools) {
    const turn = beginTurn(context, task, tools);
    context.log.error("question failed", { task: task.id, attempts: task.attempts, error });
    // Where nobody could be told, it comes here again.
    if (turn.progress.ending !== "failed") {
      await turn.save({ ending: "failed" });
      await turn.note("It failed too often and was given up.");
    }
    await alertAdmin(context, error);
    await withDelivery(turn, async (delivery) => {
      if (delivery.already !== undefined) return;
      await delivery.fail(failureMessage(task.id, "Something went wrong on my side, more than once."));
    });
    await forgetLeftovers(turn);
    ended(turn, "failed");
  },
  async untold(context, task, error, tools) {
    const turn = beginTurn(context, task, tools);
    await turn.note(`It failed too often, and nobody could be told: ${failureCode(error)}.`);
    ended(turn, "failed");
  },
};

/** The platform's word for why it took no message, or what kind of failure it was. */
function failureCode(error: unknown): string {
  if (error instanceof MessageRefused || error instanceof WorkspaceRevoked) return error.code;
  return platformError(error) ?? (error instanceof Error ? error.name : "unknown");
}

function ended({ context, task, question }: Turn, outcome: Outcome): void {
  const { metrics, log, now } = context;
  const ms = now() - task.acceptedAt;
  metrics.questionEnded({ entry: question.entry, outcome });
  if (outcome === "answered") metrics.answered(ms);
  const trace = context.tracing.traceId();
  log.info("question ended", { task: task.id, entry: question.entry, outcome, ms, attempts: task.attempts, trace });
}

/** The steps of an answer, in order. */
async function answerQuestion(turn: Turn): Promise<RunResult> {
  const { context, question, task, progress } = turn;
  const surroundings = await surroundingsOf(turn);
  if (surroundings.message === undefined) {
    await turn.note("The question was deleted before it was answered.");
    if (progress.delivery !== undefined) await withDelivery(turn, (delivery) => takeBack(turn, delivery));
    return "gone";
  }
  const decision = await decideOn(turn, surroundings);
  if (decision.kind === "stay_out") return "stayed_out";
  if (decision.kind === "refuse") return refuse(turn, decision.words);
  if (decision.talk !== undefined) return answerTalk(turn, decision.talk);
  const { settings } = decision;
  const isShared = question.shares !== undefined;
  // First of all: what is said and noted from now on is for the asker alone.
  if (settings.answer === "ephemeral" && !isDirect(question) && !question.private && !isShared) {
    await turn.save({ private: true });
  }
  const chosen = await chooseKey(turn, decision);
  if ("words" in chosen) return refuse(turn, chosen.words);
  const key = await settleKey(turn, chosen.key);
  if (!(await isBegun(turn))) return "gone";
  return withDelivery(turn, async (delivery) => {
    if (delivery.already !== undefined) return record(turn, delivery.already, progress.ending ?? "answered", key);
    const changes = new QuestionChanges();
    context.turns.set(task.key, changes);
    const connection = watchConnection(context, key);
    try {
      const server = await context.accounts.server(key, question.user);
      const exchange = { key, server, settings, surroundings, delivery, connection };
      return await converse(turn, exchange, changes, decision.key);
    } finally {
      connection.end();
      if (context.turns.get(task.key) === changes) context.turns.delete(task.key);
    }
  });
}

/**
 * What was begun with one key is not gone on with by another. What has ended stays with its own, but for an account that it
 * would not be asked with now: it may be disconnected, or the place's rules may have changed.
 */
async function settleKey(turn: Turn, chosen: QuestionKey): Promise<QuestionKey> {
  const { key: before, ending } = turn.progress;
  if (before === undefined || before === chosen) return chosen;
  if (ending !== undefined && !isOwn(before)) return before;
  await turn.save({ ...NO_CONVERSATION, ending: undefined });
  return chosen;
}

/**
 * Asks, and shows the answer as it grows. An edit before the first words asks anew; a deletion ends it. Where the asker's
 * own key turns out to be good no more, it is asked with `otherwise`, or not at all, as the rules say.
 */
async function converse(
  turn: Turn,
  exchange: Omit<Attempt, "material" | "view" | "signal">,
  changes: QuestionChanges,
  otherwise: AskingKey,
): Promise<RunResult> {
  const { context, tools } = turn;
  const { key, delivery } = exchange;
  let { surroundings } = exchange;
  for (;;) {
    const { over } = exchange.connection;
    const signal = AbortSignal.any([tools.signal, delivery.stoppedByUser, delivery.unseen, over, changes.begin()]);
    const material = await context.tracing.run("material", {}, () => gather(turn, surroundings, exchange, signal));
    // A workspace on this machine has its own messages as sources, and they are opened on this machine.
    const view = createAnswerView({ localHosts: context.config.slack.apiUrl !== undefined });
    const attempt: Attempt = { ...exchange, surroundings, material, signal, view };
    const last = await context.tracing.run("ask", { kind: "client" }, async (span) => {
      const answer = await stream(turn, attempt, changes);
      span.tell({ status: answer.status });
      return answer;
    });
    const leave = interruptionOf(tools.signal);
    if (leave === "lost" || leave === "shutdown") throw new TaskInterrupted(leave);
    if (await exchange.connection.isOver()) return refuseDisconnected(turn, delivery);
    if (isOwn(key) && isOwnRefused(last)) {
      await context.accounts.refused(key);
      await turn.save(NO_CONVERSATION);
      const chosen = await chooseKey(turn, { key: otherwise, settings: exchange.settings });
      if ("words" in chosen) return refuse(turn, chosen.words, delivery);
      if (turn.progress.ownRefused !== true) await noteRefusal(turn);
      const server = await context.accounts.server(chosen.key, turn.question.user);
      const connection = watchConnection(context, chosen.key);
      const next = { ...exchange, surroundings, key: chosen.key, server, connection };
      return converse(turn, next, changes, otherwise).finally(connection.end);
    }
    if (isConversationLost(turn, last)) {
      await forgetConversation(turn, key);
      continue;
    }
    if (!changes.happened || last.status !== "stopped") return conclude(turn, attempt, last);
    surroundings = await surroundingsOf(turn);
    if (surroundings.message === undefined) {
      await turn.note("The question was deleted while it was answered.");
      await takeBack(turn, delivery);
      return "gone";
    }
    const tooLong = await whyTooLong(turn, surroundings);
    if (tooLong !== undefined) return refuse(turn, tooLong, delivery);
    await turn.note("The question was edited before anything of its answer was shown, so it was asked anew.");
    await turn.save({ sent: undefined, conversation: undefined });
  }
}

/** Whether the server does not know the key, and nothing of an answer came. */
function isOwnRefused({ status, text, failure }: Answer): boolean {
  if (status !== "failed" || text !== "" || failure?.code === "forbidden") return false;
  return failureCause({ status, failure }) === "key";
}

async function stream(turn: Turn, attempt: Attempt, changes: QuestionChanges): Promise<Answer> {
  const { context, task } = turn;
  const { delivery, view } = attempt;
  delivery.show(view.waiting());
  const silence = watchSilence(turn, delivery, view);
  let last: Answer | undefined;
  let packets = -1;
  try {
    for await (const answer of answersTo(turn, attempt)) {
      last = answer;
      packets += 1;
      if (packets === 1) context.metrics.firstPacket(context.now() - task.acceptedAt);
      if (packets > 0) silence.sign();
      if (answer.text !== "") changes.isShown = true;
      // Of an answer of which only a part is shown, that part is known at its end.
      if (!isFinal(answer.status) && turn.question.more === undefined) delivery.show(() => view.next(answer));
    }
  } finally {
    await silence.end();
  }
  if (last === undefined) throw new Error("The answer ended before it began.");
  return last;
}
