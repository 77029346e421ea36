import { type Answer, linksOf, saysNothingFound } from "@threadlore/ask";
import type { KnownBlock } from "@slack/types";
import { offerMore } from "../accounts/more/offer-more.ts";
import { type OnlyMore, onlyMore } from "../accounts/more/only-more.ts";
import type { BotContext } from "../context.ts";
import type { Server } from "../knowledge-server/servers.ts";
import { interruptionOf, type Outcome, type RunResult } from "@threadlore/inbox";
import { alertAdmin, noteFailure } from "../knowledge-server/server-trouble.ts";
import { isOwn, type QuestionKey } from "../accounts/question-key.ts";
import { DISCONNECTED_MEANWHILE } from "../accounts/still-connected.ts";
import type { Talk } from "../rules/utterance.ts";
import { platformError } from "../slack/read/people.ts";
import type { Delivery } from "../slack/deliver/delivery.ts";
import type { Delivered } from "../slack/deliver/delivery-seam.ts";
import { actionRow } from "../slack/render/answer-actions.ts";
import { closingBlocks } from "../slack/render/blocks.ts";
import { createAnswerView, failureMessage, noticeMessage, publicWords } from "./answer-view.ts";
import { type Attempt, conversationPlace, earlierTurn, renameSession } from "./asking.ts";
import { whyUnwelcome } from "./decision.ts";
import { answersAmong } from "../gaps/still-true/still-marks.ts";
import { areHelpersNamed } from "../gaps/calls/call-whom.ts";
import { noteAnswered, noteQuestion } from "../gaps/note-question.ts";
import { questionsNext } from "./after/next.ts";
import { quietOlder } from "./after/quiet-older.ts";
import { stands } from "./standing.ts";
import { isDirect, partitionKeyOf, stopMark } from "./question.ts";
import { NO_CONVERSATION, type Turn } from "./turn.ts";
import { tellPrivately, withDelivery } from "./visible.ts";

/** The one end of an answer, whatever it is. */
export async function conclude(turn: Turn, attempt: Attempt, answer: Answer): Promise<RunResult> {
  const { context, task, tools } = turn;
  const { delivery, key, view, material, surroundings } = attempt;
  const stopped = answer.status === "stopped";
  const ending = stopped ? "stopped" : answer.text.trim() === "" || answer.status === "failed" ? "failed" : "answered";
  const cited = key === "channel" && answer.status === "done" && !saysNothingFound(answer) ? citedIn(answer) : [];
  await turn.save({ conversation: { ...answer.conversation }, ending, ...(cited.length > 0 && { cited }) });
  if (stopped || interruptionOf(tools.signal) === "stopped") {
    await turn.note("Somebody pressed Stop.");
    // Whatever happens it is to be stopped: what cannot be found out now must not leave it open.
    const words = await whyUnwelcome(turn, surroundings).catch(() => undefined);
    if (words !== undefined) return refuse(turn, words, delivery);
    return record(turn, await delivery.stop(await stopTrace(turn, answer)), "stopped", key);
  }
  if (answer.failure !== undefined) {
    await noteFailure(turn, answer);
    if (isServerTrouble(answer)) await alertAdmin(context, { ...answer.failure, outcome: "unavailable" });
  }
  const unwelcome = await whyUnwelcome(turn, surroundings);
  if (unwelcome !== undefined) return refuse(turn, unwelcome, delivery);
  if (ending === "failed" && answer.text.trim() === "") {
    delivery.show(view.failed());
    const delivered = await delivery.fail(failureMessage(task.id, publicWords(answer)));
    noteStanding(turn, delivered, "failed");
    return outcomeOf(delivered, "failed");
  }
  if (turn.question.more !== undefined) return concludeMore(turn, attempt, answer);
  if (saysNothingFound(answer)) {
    await turn.note("The documents that were searched hold no answer.");
    // What else than everybody's key found is nobody's business but the asker's.
    if (key === "channel" && answer.finding !== undefined) await turn.save({ closest: closestOf(turn, answer) });
  }
  const citedAnswers = await answersAmong(
    context,
    answer.citations.map(({ source }) => source.documentId),
  );
  if (citedAnswers !== undefined) await turn.save({ citedAnswers: [...citedAnswers] });
  const { remarks } = material;
  const { helpers, disclaimer, document_sets: sets, sources } = attempt.settings;
  const end = view.end(answer, {
    taskId: task.id,
    private: turn.question.private,
    helpers: areHelpersNamed(context.rules(), turn.question, helpers),
    remarks,
    disclaimer: disclaimer === "on",
    searched: [...sets, ...sources],
    next: await questionsNext(turn, attempt, answer),
  });
  if (await attempt.connection.isOver()) return refuseDisconnected(turn, delivery);
  await noteEnd(turn, answer);
  const delivered = await delivery.finish(end);
  const outcome = await record(turn, delivered, ending, key, saysNothingFound(answer));
  if (outcome === "answered") context.later("offer more", () => offerMore(turn, attempt, turn.question.threadTs));
  return outcome;
}

/** Documents it rests on, each once. */
const citedIn = ({ citations }: Answer): string[] => [...new Set(citations.map(({ source }) => source.documentId))];

/** Before it is shown, so that no end of the process comes in between; what is noted waits for the end of the answer. */
async function noteEnd({ context, task, question }: Turn, answer: Answer): Promise<void> {
  const asked = { taskId: task.id, question };
  if (saysNothingFound(answer)) await noteQuestion(context, { ...asked, reason: "nothing" });
  else if (answer.status === "done") await noteAnswered(context, asked);
}

/** What a finding names, with addresses that may be opened. */
function closestOf({ context: { config } }: Turn, answer: Answer) {
  const links = linksOf(answer, { localHosts: config.slack.apiUrl !== undefined });
  return (answer.finding?.closest ?? []).map(({ documentId, title, link = "" }) => {
    const href = links.href(link);
    return { id: documentId, title, ...(href !== undefined && { link: href }) };
  });
}

/** More to an answer for everybody: what of it everybody may see is left away, and where nothing is left, that is said. */
async function concludeMore(turn: Turn, attempt: Attempt, answer: Answer): Promise<RunResult> {
  const { context, task } = turn;
  const { delivery, key, server, connection } = attempt;
  if (answer.status !== "done") {
    endConversation(turn, server);
    return outcomeOf(await delivery.fail(failureMessage(task.id, publicWords(answer))), "failed");
  }
  const { answer: more, isWhole } = saysNothingFound(answer) ? NOTHING_MORE : await onlyMore(turn, attempt, answer);
  // Not before: whoever has to begin again, since the server gave no answer, finds what it was asked there.
  endConversation(turn, server);
  if (await connection.isOver()) return refuseDisconnected(turn, delivery);
  if (more === undefined) {
    if (!isWhole) return outcomeOf(await delivery.fail(failureMessage(task.id, TOO_SLOW_FOR_MORE)), "failed");
    return outcomeOf(await delivery.fail(noticeMessage(NO_MORE)), "answered");
  }
  const view = createAnswerView({ localHosts: context.config.slack.apiUrl !== undefined });
  const remarks = isWhole ? [MORE] : [MORE, PART_OF_MORE];
  const end = view.end(more, { taskId: task.id, private: true, remarks, isBare: true });
  return record(turn, await delivery.finish(end), "answered", key);
}

const NOTHING_MORE: OnlyMore = { answer: undefined, isWhole: true };
const PART_OF_MORE = "There may be more: I compared a part of it only. Ask more narrowly for the rest.";
const TOO_SLOW_FOR_MORE =
  "The knowledge server took too long to say what of it is new, so I show nothing. Try again in a minute.";

/** More to an answer is no conversation to go on with. Best effort. */
function endConversation({ context, progress }: Turn, server: Server): void {
  const session = progress.conversation?.chatSessionId;
  if (session === undefined) return;
  context.later("end a conversation", () => server.deployment.deleteSession(session).catch(() => undefined));
}

const MORE = ":lock: Only you see this: it is from documents that your own account may see and this channel may not.";
const NO_MORE = ":lock: Your own account has nothing to add to the answer above.";

/** Failures that somebody who runs the server has to look at. */
function isServerTrouble({ failure }: Answer): boolean {
  const code = failure?.code ?? "";
  return ["auth", "unavailable", "protocol", "AUTH_ERROR"].includes(code) || /^E[A-Z]+$/.test(code);
}

/** What stands below an answer that somebody stopped: who that was, the sources so far, and a way to ask again. */
async function stopTrace({ context, task }: Turn, answer: Answer): Promise<KnownBlock[]> {
  const { store, config } = context;
  const user = await store.recall(stopMark(task.partitionKey), { since: task.acceptedAt }).catch(() => undefined);
  const links = linksOf(answer, { localHosts: config.slack.apiUrl !== undefined });
  const ended = user === undefined ? "Stopped before it was complete." : `Stopped by <@${user}>.`;
  return closingBlocks({ ...answer, status: "stopped" }, links, actionRow(task.id, ["regenerate"]), { ended });
}

/**
 * Says why there is no answer, in the one place for it. `shown`: there an answer had begun, of which nothing is left; nor is
 * anything of what an earlier attempt had shown, which is not for these eyes any more.
 */
export async function refuse(turn: Turn, words: string, shown?: Delivery): Promise<RunResult> {
  if (shown === undefined && turn.question.begins !== undefined && turn.progress.began === undefined) {
    // There is no thread yet that the reason could stand in.
    await tellPrivately(turn, words);
    return "refused";
  }
  const wasBegun = shown !== undefined || turn.progress.delivery !== undefined;
  await turn.save({ ending: "refused" });
  const say = async (delivery: Delivery): Promise<Outcome> => {
    if (delivery.already !== undefined) return outcomeOf(delivery.already, "refused");
    const notice = noticeMessage(words);
    if (!wasBegun) return outcomeOf(await delivery.fail(notice), "refused");
    // The reason stands in the place of everything that was shown.
    const nothing = { cards: [], pieces: [], closing: [], withdrawn: true };
    const said = { messages: () => [notice], plain: () => [{ text: words }], text: words };
    return outcomeOf(await delivery.finish({ ...nothing, ...said }), "refused");
  };
  return shown === undefined ? withDelivery(turn, say) : say(shown);
}

/** The account it was asked with is not connected any more: nothing of its answer is shown, and nothing kept. */
export async function refuseDisconnected(turn: Turn, delivery: Delivery): Promise<RunResult> {
  await turn.save(NO_CONVERSATION);
  await turn.note("The asker's own account was disconnected while the answer was written, so nothing of it was kept.");
  return refuse(turn, DISCONNECTED_MEANWHILE, delivery);
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

/** The outcome of a turn whose end was shown, or could not be. */
function outcomeOf(delivered: Delivered, outcome: Outcome): Outcome {
  return delivered.kind === "delivered" ? outcome : delivered.kind;
}

/** Keeps what later clicks and questions need. */
export async function record(
  turn: Turn,
  delivered: Delivered,
  outcome: Outcome,
  key: QuestionKey,
  isNothing?: boolean,
): Promise<RunResult> {
  const { context, task, question } = turn;
  const { messages } = delivered;
  const account = isOwn(key) ? key : undefined;
  const answer = {
    taskId: task.id,
    channel: question.channel,
    messages,
    createdAt: context.now(),
    account,
    ...(isNothing === true && { isNothing }),
  };
  if (messages.length > 0) await context.store.saveAnswer(answer);
  noteStanding(turn, delivered, outcome);
  if (outcome === "answered" && delivered.kind === "delivered") await moveOn(turn, key);
  return outcomeOf(delivered, outcome);
}

/** A message with buttons stands: what it answers anew or goes on from loses its own. A failure takes nothing away. */
function noteStanding(turn: Turn, delivered: Delivered, outcome: Outcome): void {
  const { context, question, task } = turn;
  if (question.private || delivered.kind === "gone" || delivered.last === undefined) return;
  const { last } = delivered;
  const thread = partitionKeyOf(question);
  stands(context.standing, thread, last);
  if (outcome !== "answered" && outcome !== "stopped") return;
  if ((context.standing.get(thread)?.length ?? 0) < 2) return;
  context.log.debug("older answers lose their buttons", { task: task.id });
  context.later("take buttons away", () => quietOlder(context, question.channel, thread, last.ts));
}

/** The thread goes on from this answer; asked again, only where nothing came after the first one. */
async function moveOn(turn: Turn, key: QuestionKey): Promise<void> {
  const { context, question, progress } = turn;
  const { conversations } = context.store;
  const place = conversationPlace(question, key);
  const known = await conversations.get(place);
  if (question.again !== undefined && known !== undefined) {
    const replaced = (await earlierTurn(turn)).conversation;
    if (known.messageId !== replaced?.messageId) return;
  }
  const session = progress.conversation?.chatSessionId;
  if (session === undefined || question.more !== undefined) return;
  await conversations.set(place, { ...progress.conversation });
  if (known === undefined && (question.entry === "dm" || question.entry === "agent")) {
    context.later("title a session", async () =>
      titleSession(context, question, await context.accounts.server(key, question.user), session),
    );
  }
}

/** The server names the conversation, and the platform shows that name. */
async function titleSession(
  { clients }: BotContext,
  { channel, threadTs }: Turn["question"],
  server: Server,
  session: string,
): Promise<void> {
  const title = (await renameSession(server, session)).trim().slice(0, 200);
  if (title === "") return;
  await clients.posts.apiCall("agents.sessions.rename", { channel_id: channel, thread_ts: threadTs, title });
}

/** Answers small talk without asking the server: a reaction, or how to ask. Programs get neither. */
export async function answerTalk(turn: Turn, talk: Talk): Promise<RunResult> {
  if (turn.question.botId !== undefined) return "stayed_out";
  if (talk === "nod") return nod(turn);
  return withDelivery(turn, async (delivery) => {
    if (delivery.already !== undefined) return "done";
    const delivered = await delivery.fail(noticeMessage(howToAsk(turn)));
    return delivered.kind === "gone" ? "gone" : "done";
  });
}

/** A courtesy: where reactions are not allowed, nothing is said. */
async function nod({ context, question, note }: Turn): Promise<RunResult> {
  const { channel, ts, team } = question;
  try {
    await context.pacer.call({ team, method: "reactions.add" }, () =>
      context.clients.posts.reactions.add({ channel, timestamp: ts, name: "raised_hands" }),
    );
  } catch (error) {
    const word = platformError(error);
    if (word === undefined) throw error;
    if (word !== "already_reacted") await note(`It could not be answered with a reaction: ${word}.`);
  }
  return "done";
}

/** What people are told who greet the bot or ask what it is for, as mrkdwn. */
function howToAsk({ context: { self }, question }: Turn): string {
  const what = "I answer questions from what this company knows, and name my sources.";
  const mention = `<@${self.userId}> how do I claim travel expenses?`;
  return isDirect(question)
    ? `${what} Just write your question here.\nIn a channel, mention me with it: ${mention} I answer in the thread.`
    : `${what} Ask like this:\n${mention}\nIn the thread you can go on asking, and in a direct message just write.`;
}
