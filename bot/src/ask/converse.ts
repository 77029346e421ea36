import { type Answer, isFinal } from "@threadlore/ask";
import { interruptionOf, type RunResult, TaskInterrupted } from "@threadlore/inbox";
import type { AskingKey } from "../rules/rules.ts";
import { type AnswerView, createAnswerView } from "./answer-view.ts";
import { answersTo, keepPlace } from "./asking.ts";
import { conclude, type Exchange, refuseInstead, takeBack } from "./conclude.ts";
import { conversationPlace, type Parent } from "./conversation.ts";
import { whyTooLong } from "./decision.ts";
import { isConversationLost } from "./earlier-run.ts";
import { gather, type Material, type Surroundings, surroundingsOf } from "./material.ts";
import { watchSilence } from "./silence.ts";
import type { Turn } from "./turn.ts";
import type { QuestionChange } from "./turns.ts";

/** Asks, and shows the answer as it grows. An edit before the first words asks anew; a deletion ends it. */
export async function converse(turn: Turn, exchange: Exchange): Promise<RunResult> {
  const { context, task, tools, question } = turn;
  const changes = new Changes();
  const unwatch = context.turns.watch(task.key, (change) => changes.tell(change));
  try {
    let { surroundings, parent } = exchange;
    for (;;) {
      const signal = AbortSignal.any([
        tools.signal,
        exchange.delivery.stoppedByUser,
        exchange.delivery.unseen,
        changes.begin(),
      ]);
      const material = await gather(context, question, {
        surroundings: await forKey(turn, exchange.key, surroundings),
        server: exchange.server,
        signal,
        fetch: context.fetch,
        isAlone: turn.progress.lost === true,
      });
      // A workspace on this machine has its own messages as sources, and they are opened on this machine.
      const view = createAnswerView({ localHosts: context.config.slack.apiUrl !== undefined });
      const last = await stream(turn, { ...exchange, parent, material, signal, view, onText: () => changes.shown() });
      const leave = interruptionOf(tools.signal);
      if (leave === "lost" || leave === "shutdown") throw new TaskInterrupted(leave);
      if (parent.chatSessionId !== undefined && isConversationLost(last)) {
        parent = await forgetConversation(turn, exchange.key);
        continue;
      }
      if (changes.happened === undefined || last.status !== "stopped") {
        return await conclude(turn, { ...exchange, view, material }, last);
      }
      surroundings = await surroundingsOf(context, question, tools.signal);
      if (surroundings.message === undefined) {
        await turn.note("The question was deleted while it was answered.");
        await takeBack(turn, exchange.delivery);
        return "gone";
      }
      const tooLong = await whyTooLong(turn, surroundings);
      if (tooLong !== undefined) return await refuseInstead(turn, exchange.delivery, tooLong);
      await turn.note("The question was edited before anything of its answer was shown, so it was asked anew.");
      await turn.save({ sent: undefined, conversation: undefined });
    }
  } finally {
    unwatch();
  }
}

/** Whether the key is still one is asked while the material is gathered; without it no file leaves, and nothing is asked. */
async function forKey({ context }: Turn, key: AskingKey, surroundings: Surroundings): Promise<Surroundings> {
  const { keys } = context.config;
  const refused = context.serverWatch.admit((key === "dm" ? keys.dm : undefined) ?? keys.channel).then(
    () => false,
    () => true,
  );
  const { message } = surroundings;
  if (message === undefined || message.files.length === 0 || !(await refused)) return surroundings;
  return { ...surroundings, message: { ...message, files: [] } };
}

/** The server no longer has the conversation: the question begins one of its own, with the thread as material. */
async function forgetConversation(turn: Turn, key: AskingKey): Promise<Parent> {
  await turn.note("The server no longer has the conversation of this thread, so the question was asked without it.");
  await turn.context.store.conversations.delete(conversationPlace(turn.question, key));
  const parent: Parent = { messageId: null };
  await turn.save({ parent: { ...parent }, lost: true, sent: undefined, conversation: undefined });
  return parent;
}

/** Changes of a question's message: a deletion counts at any time, an edit until the first words are shown. */
class Changes {
  happened: QuestionChange | undefined;
  #controller = new AbortController();
  #textShown = false;

  begin(): AbortSignal {
    this.happened = undefined;
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  tell(change: QuestionChange): void {
    if (change === "edited" && this.#textShown) return;
    this.happened = change;
    this.#controller.abort();
  }

  shown(): void {
    this.#textShown = true;
  }
}

interface Streaming extends Exchange {
  readonly material: Material;
  readonly view: AnswerView;
  readonly signal: AbortSignal;
  readonly onText: () => void;
}

async function stream(turn: Turn, streaming: Streaming): Promise<Answer> {
  const { context, task } = turn;
  const { delivery, view } = streaming;
  delivery.show(view.waiting());
  const silence = watchSilence(turn, delivery, view);
  let last: Answer | undefined;
  try {
    for await (const answer of answersTo(turn, streaming)) {
      if (last !== undefined && !silence.isBroken) context.metrics.firstPacket(context.now() - task.acceptedAt);
      if (last !== undefined) silence.sign();
      last = answer;
      await keepPlace(turn, answer);
      if (answer.text !== "") streaming.onText();
      if (!isFinal(answer.status)) delivery.show(() => view.next(answer));
    }
  } finally {
    await silence.end();
  }
  if (last === undefined) throw new Error("The answer ended before it began.");
  return last;
}
