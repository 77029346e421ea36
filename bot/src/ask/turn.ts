import { type Answer, type ConversationRef, isFinal } from "@threadlore/ask";
import { UnsupportedError } from "@threadlore/client";
import { type AnswerView, createAnswerView, failureMessage, noticeMessage } from "./answer-view.ts";
import type { BotContext, Server, TaskWork } from "../context.ts";
import { conversationPlace, type Parent, parentOf, rememberConversation } from "./conversation.ts";
import { answersTo, conversationIn, keepPlace, sentBefore } from "./asking.ts";
import { isConversationLost } from "./earlier-run.ts";
import { publicWords } from "../knowledge-server/failure-classes.ts";
import type { RunResult } from "../inbox/inbox.ts";
import { interruptionOf, TaskInterrupted } from "../inbox/interruption.ts";
import { gather, type Material, type Surroundings, surroundingsOf } from "./material.ts";
import { askedMark, isDirect } from "./question.ts";
import { beginTurn, type Turn } from "./running-turn.ts";
import { type AskingKey, decide, type Decision, type Settings } from "../rules/rules.ts";
import { alertAdmin } from "../knowledge-server/server-alerts.ts";
import { noteFailure } from "../knowledge-server/server-trouble.ts";
import { stopTrace } from "./stop-trace.ts";
import { answerTalk } from "./small-talk.ts";
import { situationOf, threadFacts } from "../rules/situation.ts";
import { dateMarkup } from "../slack/render/sources.ts";
import { postBeginning } from "../slack/transport/begin-thread.ts";
import type { Delivered, Delivery, Ending } from "../slack/deliver/delivery-seam.ts";
import { platformError } from "../slack/read/people.ts";
import { isUnanswered, MessageRefused, WorkspaceRevoked } from "../slack/transport/refusals.ts";
import type { Outcome } from "../inbox/store/store.ts";
import { progressOf } from "./turn-progress.ts";
import type { Change } from "./turns.ts";
import { watchSilence } from "./silence.ts";
import { tellPrivately, withDelivery } from "./visible.ts";

/** Questions, and questions asked again: from what was kept to one visible outcome. */
export const questionWork: TaskWork = {
  async run(context, task, tools) {
    const turn = beginTurn(context, task, tools);
    try {
      const result = await answerQuestion(turn);
      if (typeof result === "string") ended(turn, result);
      return result;
    } catch (error) {
      // Nothing is wrong with the question: it waits until the platform answers again, for hours if need be.
      if (isUnanswered(error)) return { later: context.now() + restAfter(task.attempts, context.patience.restMs) };
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
  log.info("question ended", { task: task.id, entry: question.entry, outcome, ms, attempts: task.attempts });
}

/** How long a question rests while the platform does not answer, milliseconds. */
function restAfter(attempts: number, firstMs = 5_000): number {
  return Math.min(600_000, firstMs * 2 ** (attempts - 1));
}

/** The steps of an answer, in order. */
async function answerQuestion(turn: Turn): Promise<RunResult> {
  const { context, question, tools, progress } = turn;
  const surroundings = await surroundingsOf(context, question, tools.signal);
  if (surroundings.message === undefined) {
    await turn.note("The question was deleted before it was answered.");
    if (progress.delivery !== undefined) await withDelivery(turn, (delivery) => takeBack(turn, delivery));
    return "gone";
  }
  const decision = await decided(turn, surroundings);
  if (decision.kind === "stay_out") return "stayed_out";
  // Two programs that decline each other's messages never stop either (facts: security T17).
  const isProgram = question.botId !== undefined;
  if (decision.kind === "refuse") return isProgram ? "stayed_out" : refuse(turn, decision.words);
  if (decision.talk !== undefined) return answerTalk(turn, decision.talk);
  const wait = await overBudget(turn);
  if (wait !== undefined) return isProgram ? "stayed_out" : refuse(turn, wait);
  if (isTooLong(surroundings)) return refuse(turn, await noteTooLong(turn));
  const { settings } = decision;
  const key = question.shares === undefined ? decision.key : "channel";
  if (settings.answer === "ephemeral" && !isDirect(question) && !question.private && question.shares === undefined) {
    await turn.save({ private: true });
    return deliver(beginTurn(context, { ...turn.task, progress }, tools), { key, settings, surroundings });
  }
  return deliver(turn, { key, settings, surroundings });
}

/** Characters of a question; more is material, and goes better as a file. */
const MOST_CHARACTERS = 16_000;
const TOO_LONG =
  "That is longer than a question can be (16,000 characters). Attach the long part as a text file, and ask about it in a sentence.";

function isTooLong({ message }: Surroundings): boolean {
  return (message?.text.length ?? 0) > MOST_CHARACTERS;
}

async function noteTooLong(turn: Turn): Promise<string> {
  await turn.note("The question is too long.");
  return TOO_LONG;
}

async function decided(turn: Turn, surroundings: Surroundings, again = false): Promise<Decision> {
  const { context, question } = turn;
  // A message's own event told whether its channel is shared; everything else comes without a word of that.
  const fresh = again || !question.isMessage || question.again !== undefined || question.shares !== undefined;
  const own =
    question.again !== undefined || (await context.store.conversations.get(askedMark(question))) !== undefined;
  const thread = question.inThread
    ? threadFacts(surroundings.thread.before, question, { self: context.self.userId, own })
    : undefined;
  const { text = question.text, files = question.files } = surroundings.message ?? {};
  const situation = await situationOf(context, { ...question, text, files: [...files] }, { thread, fresh });
  const decision = decide(context.rules(), situation);
  if (!again) for (const words of decision.trace) await turn.note(words);
  return decision;
}

/** Words for why it must wait, where a budget is used up. Each question is counted once, however often it is begun. */
async function overBudget(turn: Turn): Promise<string | undefined> {
  const { context, question, progress } = turn;
  if (progress.counted === true) return undefined;
  const budgets = question.botId === undefined ? context.budgets.people : context.budgets.programs;
  const { team, user, channel, threadTs } = question;
  const allowance = await budgets.allow({ team, user, channel, threadTs, direct: isDirect(question) });
  if (allowance.allowed) {
    await turn.save({ counted: true });
    return undefined;
  }
  const whose = {
    user: "You have asked as many questions as one person may for now",
    channel: "This channel has asked as many questions as it may for now",
    workspace: "This workspace has asked as many questions as it may for now",
    threadLoop: "I have answered an app here as often as I may for now",
    channelLoop: "I have answered apps in this channel as often as I may for now",
  }[allowance.which];
  await turn.note(`The budget \`${allowance.which}\` is used up.`);
  return `${whose}. Ask again after ${dateMarkup(new Date(allowance.resetAt).toISOString()) ?? "a while"}.`;
}

async function refuse(turn: Turn, words: string): Promise<RunResult> {
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
async function refuseInstead(turn: Turn, delivery: Delivery, words: string): Promise<RunResult> {
  await turn.save({ ending: "refused" });
  return outcomeOf(await delivery.finish(insteadOfAnswer(words)), "refused");
}

function outcomeOf(delivered: Delivered, outcome: Outcome): Outcome {
  return delivered.kind === "gone" ? "gone" : delivered.kind === "stopped" ? "stopped" : outcome;
}

interface Chosen {
  readonly key: AskingKey;
  readonly settings: Settings;
  readonly surroundings: Surroundings;
}

async function deliver(asked: Turn, chosen: Chosen): Promise<RunResult> {
  const turn = await withBeginning(asked);
  if (turn === undefined) return "gone";
  const { context, progress } = turn;
  const server = context.servers[chosen.key];
  const parent = progress.parent ?? (await parentFor(turn, chosen.key));
  if (progress.parent === undefined) {
    await turn.save({ parent: { ...parent }, key: chosen.key, ...(await sentBefore(turn, chosen.key)) });
  }
  return withDelivery(turn, async (delivery) => {
    if (delivery.already !== undefined)
      return recorded(turn, delivery.already, progress.ending ?? "answered", chosen.key);
    return converse(turn, { ...chosen, server, parent, delivery });
  });
}

/** The thread the bot has to begin itself, begun once. Undefined: it may not post there, which the asker is told. */
async function withBeginning(turn: Turn): Promise<Turn | undefined> {
  const { context, question, progress, task, tools } = turn;
  if (question.begins === undefined || progress.began !== undefined) return turn;
  const began = await postBeginning(
    { ...context.clients, pacer: context.pacer },
    {
      team: question.team,
      channel: question.channel,
      ...(question.inThread ? { threadTs: question.threadTs } : {}),
      taskId: task.id,
      text: question.begins,
      since: task.acceptedAt,
      maybePosted: tools.attempt > 1,
      hold: tools.hold,
    },
  );
  if (began === undefined) {
    await turn.note("The bot may not post in this channel.");
    await tellPrivately(turn, "I cannot post in this channel. Invite me to it, then share again.");
    return undefined;
  }
  // In a thread that is there already, the answer goes below what was said.
  await turn.save({ began: question.inThread ? question.threadTs : began });
  return beginTurn(context, { ...task, progress }, tools);
}

/** What the question follows: the thread's conversation, or, asked again, what the question followed the first time. */
async function parentFor({ context, question }: Turn, key: AskingKey): Promise<Parent> {
  const { store } = context;
  if (question.again !== undefined) {
    const before = progressOf((await store.find(question.again))?.progress);
    const session = before.parent?.chatSessionId ?? before.conversation?.chatSessionId;
    if (before.key === key && before.parent !== undefined) {
      return session === undefined ? before.parent : { chatSessionId: session, messageId: before.parent.messageId };
    }
  }
  return parentOf(await store.conversations.get(conversationPlace(question, key)));
}

interface Exchange extends Chosen {
  readonly server: Server;
  readonly parent: Parent;
  readonly delivery: Delivery;
}

/** Asks, and shows the answer as it grows. An edit before the first words asks anew; a deletion ends it. */
async function converse(turn: Turn, exchange: Exchange): Promise<RunResult> {
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
      if (isTooLong(surroundings)) return await refuseInstead(turn, exchange.delivery, await noteTooLong(turn));
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

/** The question is gone, so what was shown of its answer goes too. */
async function takeBack({ context, question, tools }: Turn, delivery: Delivery): Promise<void> {
  const { messages } = await delivery.stop();
  for (const ts of messages) {
    await tools.hold();
    await context.clients.posts.chat
      .delete({ channel: question.channel, ts })
      .catch((error: unknown) => context.log.warn("answer not taken back", { channel: question.channel, ts, error }));
  }
}

/** Changes of a question's message: a deletion counts at any time, an edit until the first words are shown. */
class Changes {
  happened: Change | undefined;
  #controller = new AbortController();
  #textShown = false;

  begin(): AbortSignal {
    this.happened = undefined;
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  tell(change: Change): void {
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

/** The one end of an answer, whatever it is. */
async function conclude(
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
    const words = await noLongerWelcome(turn, exchange).catch(() => undefined);
    if (words !== undefined) return refuseInstead(turn, delivery, words);
    return recorded(turn, await delivery.stop(await stopTrace(turn, answer)), "stopped", key);
  }
  if (answer.failure !== undefined) {
    await noteFailure(turn, answer);
    if (isServerTrouble(answer)) await alertAdmin(context, { ...answer.failure, outcome: "unavailable" });
  }
  const unwelcome = await noLongerWelcome(turn, exchange);
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
  return recorded(turn, delivered, ending, key);
}

/** Why the answer may not stand there: a channel can be shared with another company meanwhile (facts: security T15). */
async function noLongerWelcome(turn: Turn, { surroundings }: Exchange): Promise<string | undefined> {
  if (isDirect(turn.question)) return undefined;
  const still = await decided(turn, surroundings, true);
  if (still.kind === "answer") return undefined;
  for (const words of still.trace) await turn.note(words);
  return still.kind === "refuse" ? still.words : "I may no longer answer here.";
}

/** Keeps what later clicks and questions need. */
async function recorded(turn: Turn, delivered: Delivered, outcome: Outcome, key: AskingKey): Promise<RunResult> {
  const { context, task, question, progress } = turn;
  const conversation: ConversationRef = conversationIn(progress);
  const { team, channel, threadTs, user } = question;
  if (delivered.messages.length > 0) {
    await context.store.saveAnswer({
      taskId: task.id,
      team,
      channel,
      threadTs,
      messages: delivered.messages,
      askerId: user,
      details: { conversation, key, questionTs: question.ts, private: question.private },
      createdAt: context.now(),
    });
  }
  if (outcome === "answered" && delivered.kind === "delivered") await moveOn(turn, conversation, key);
  return outcomeOf(delivered, outcome);
}

/** The thread goes on from this answer; asked again, only where nothing came after the first one. */
async function moveOn({ context, question }: Turn, conversation: ConversationRef, key: AskingKey): Promise<void> {
  const { store } = context;
  const place = conversationPlace(question, key);
  if (question.again !== undefined) {
    const replaced = progressOf((await store.find(question.again))?.progress).conversation;
    const now = await store.conversations.get(place);
    if (now !== undefined && now.messageId !== replaced?.messageId) return;
  }
  const begun = (await store.conversations.get(place)) === undefined;
  await rememberConversation(store.conversations, place, conversation);
  const session = conversation.chatSessionId;
  if (begun && session !== undefined && (question.entry === "dm" || question.entry === "agent")) {
    context.later("title a session", () => titleSession(context, question, { session, key }));
  }
}

/** The server names the conversation, and the platform shows that name. */
async function titleSession(
  { servers, clients }: BotContext,
  question: Turn["question"],
  { session, key }: { session: string; key: AskingKey },
): Promise<void> {
  const { deployment } = servers[key];
  const title = await deployment.renameSession(session).catch((error: unknown) => {
    if (error instanceof UnsupportedError) return "";
    throw error;
  });
  if (title.trim() === "") return;
  await clients.posts.apiCall("agents.sessions.rename", {
    channel_id: question.channel,
    thread_ts: question.threadTs,
    title: title.trim().slice(0, 200),
  });
}

/** Failures that somebody who runs the server has to look at. */
function isServerTrouble({ failure }: Answer): boolean {
  const code = failure?.code ?? "";
  return ["auth", "unavailable", "protocol", "AUTH_ERROR"].includes(code) || /^E[A-Z]+$/.test(code);
}
