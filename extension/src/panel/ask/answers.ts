/** How a turn comes to its answer: asked, asked once more, or gone on with after its panel was closed. */
import type { Answer, ConversationRef } from "@threadlore/ask";
import { NO_ANSWER } from "@threadlore/ask";
import type { SendMessageInput } from "@threadlore/client/models";
import { inTime } from "../../capture/read-tab.ts";
import type { ConversationWorld, PagesRead } from "./conversation-world.ts";
import { revivedAnswer, shownAnswer } from "./held.ts";
import { allowedTools, hindrance, questionOf } from "./question.ts";
import { asked, firstAnswer, giveName, mayBeThere, restOf } from "./run.ts";
import { failedAnswer, type HeldTurn, NO_PAGES, ownFailure, type Turn } from "./turn.ts";

const SLOW_MS = 5_000;

/** The conversation that is asked in. */
export interface Dialogue {
  readonly world: ConversationWorld;
  readonly patienceMs: number;
  /** Where it stands at the service; empty where nothing was asked, or the service has forgotten it. */
  place: ConversationRef;
  /** The message the next question goes behind: -1 the newest one, null none. */
  next: SendMessageInput["parent_message_id"];
}

/** Asks, with the pages that were chosen. `parent`: the message to answer once more, -1 for a new question. */
export async function* answers(
  dialogue: Dialogue,
  turn: Turn,
  parent: SendMessageInput["parent_message_id"],
  stopped: AbortSignal,
): AsyncGenerator<Answer> {
  const { world, patienceMs } = dialogue;
  turn.scope = await inTime(world.settle(turn.scope), stopped, turn.scope);
  if (stopped.aborted) return yield { ...NO_ANSWER, status: "stopped" };
  if (world.service() === undefined) return yield failedAnswer(ownFailure("not_configured"));
  const { context, pages } = turn.scope.page ? await read(world, turn, stopped) : { context: "", pages: NO_PAGES };
  if (stopped.aborted) return yield { ...NO_ANSWER, status: "stopped" };
  // With no page left to ask, what is left of the question goes to the company.
  const isWithout = turn.enough.signal.aborted && pages.asked.length === 0;
  if (isWithout) turn.scope = { page: turn.scope.company, company: true };
  turn.pages.value = pages;
  if (turn.scope.page && !turn.scope.company && pages.asked.length === 0) {
    return yield failedAnswer(ownFailure("page_unreadable"));
  }
  // Only now: there may be another key by the time a page was read.
  const service = world.service();
  if (service === undefined) return yield failedAnswer(ownFailure("not_configured"));
  const withPage = context !== "";
  const [why, { ids: allowed, off }] = await Promise.all([
    hindrance(service, withPage, stopped),
    allowedTools(service, turn.scope, withPage, stopped),
  ]);
  if (stopped.aborted) return yield { ...NO_ANSWER, status: "stopped" };
  if (why !== undefined) return yield failedAnswer(why);
  if (off !== undefined) turn.notes.value = { searchOff: off };
  const sentIn = (where: ConversationRef) => questionOf(service, turn, where, { parent, context, allowed });
  const onLost = () => {
    Object.assign(dialogue, { place: {}, next: -1 });
    turn.notes.value = { ...turn.notes.peek(), begunAnew: true };
  };
  const { client, deployment: recovery } = await service.wire();
  try {
    yield* asked(sentIn, { client, recovery, place: dialogue.place, signal: stopped, patienceMs, onLost });
  } finally {
    const { conversation } = turn.answer.peek();
    if (dialogue.place.chatSessionId === undefined) giveName({ ...turn, conversation, recovery });
  }
}

/** Answers a question once more, unless the service has its first answer, or is still at it. */
export async function* answersAgain(
  dialogue: Dialogue,
  turn: Turn,
  before: Turn,
  stopped: AbortSignal,
): AsyncGenerator<Answer> {
  const { world, patienceMs } = dialogue;
  const service = world.service();
  const given = before.answer.peek();
  let conversation: ConversationRef | undefined = given.conversation;
  if (service !== undefined && mayBeThere(given)) {
    turn.pages.value = before.pages.peek();
    turn.notes.value = before.notes.peek();
    const { deployment: recovery } = await service.wire();
    const sought = { ...before, conversation, place: dialogue.place, recovery, signal: stopped, patienceMs };
    conversation = yield* firstAnswer(sought, given.status);
  }
  if (conversation === undefined) return;
  const { chatSessionId = dialogue.place.chatSessionId, userMessageId } = conversation;
  if (chatSessionId !== undefined) dialogue.place = { ...dialogue.place, chatSessionId };
  // A question the server has kept is answered anew; one it never saw is sent again.
  yield* answers(dialogue, turn, userMessageId ?? dialogue.next, stopped);
}

/** Goes on with an answer that was being written when its panel was closed, where the service has more of it. */
export async function* answersOn(
  { world, place, patienceMs }: Dialogue,
  turn: Turn,
  kept: HeldTurn,
  stopped: AbortSignal,
): AsyncGenerator<Answer> {
  const service = world.service();
  if (service === undefined) return;
  yield shownAnswer({ ...kept.answer, status: kept.answer.text === "" ? "waiting" : "answering" });
  const { conversation, text } = kept.answer;
  const { deployment: recovery } = await service.wire();
  const sought = { ...turn, conversation, place, shown: text.length, recovery, signal: stopped, patienceMs };
  const isWhole = yield* restOf(sought);
  if (!isWhole) yield revivedAnswer(kept.answer);
}

/** Reads the pages of a turn, and says that it does; ended by the person only, by stopping or by going on without. */
async function read(world: ConversationWorld, turn: Turn, stopped: AbortSignal): Promise<PagesRead> {
  const late = setTimeout(() => (turn.reading.value = "slow"), world.slowMs ?? SLOW_MS);
  turn.reading.value = "reading";
  const enough = AbortSignal.any([stopped, turn.enough.signal]);
  try {
    return await world.readPages(turn.question, enough, turn.scope);
  } finally {
    clearTimeout(late);
    turn.reading.value = "no";
  }
}
