/**
 * The conversation of the panel: what was asked, what was answered, and the one question that is being answered now.
 * The panel talks to the service itself, and this store owns the AbortController: nothing else ends an answer.
 */
import type { Answer, ConversationRef } from "@threadlore/ask";
import { emptyAnswer, isFinal } from "@threadlore/ask";
import type { SendMessageInput } from "@threadlore/client/models";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { inTime } from "../../capture/read-tab.ts";
import type { Frame } from "./frame.ts";
import { newTurn, type OpenTurn, revivedTurn } from "./open-turn.ts";
import type { Service } from "../connection/service.ts";
import {
  failedAnswer,
  type HeldTurn,
  holdTurn,
  NO_PAGES,
  ownFailure,
  revivedAnswer,
  shownAnswer,
  type Scope,
  type Turn,
  type TurnPages,
} from "./turn.ts";

/** What reading the chosen pages came to. */
export interface PagesRead {
  /** For `additional_context`; "" where there is no page. */
  readonly context: string;
  readonly pages: TurnPages;
}

/** What a conversation needs of its surroundings. */
export interface ConversationWorld {
  /** The service as it is set now; undefined while none is. */
  service(): Service | undefined;
  /** Resolves when it is known what IT has set: with the scope as that leaves it. Nothing is read or sent before. */
  settle(scope: Scope): Promise<Scope>;
  /**
   * Reads the pages the person has chosen, as they are on screen now, for this question. When `enough` is aborted it
   * resolves with those that have answered by then.
   */
  readPages(question: string, enough: AbortSignal, scope: Scope): Promise<PagesRead>;
  /** Whether what is asked here is asked in a private window. */
  isPrivate(): Promise<boolean>;
  /** Called with all turns when one begins, now and then while its answer comes, when it is over, and when it is judged. */
  keep(turns: readonly HeldTurn[], conversation: ConversationRef): void;
  readonly frame: Frame;
  /** How long pages may take before it is offered to ask without them, milliseconds. Default: 5,000. */
  readonly slowMs?: number;
  /** How long the service is waited for after its last sign, milliseconds. Default: 60,000. */
  readonly patienceMs?: number;
}

/** How often an answer that is still being written is kept, milliseconds. */
const KEEP_MS = 1_000;
const SLOW_MS = 5_000;
/** How long the service is waited for after its last sign before an answer is given up, milliseconds. */
const PATIENCE_MS = 60_000;

/** The conversation. Everything that changes is a signal. */
export interface Conversation {
  readonly turns: ReadonlySignal<readonly Turn[]>;
  /** Whether an answer is being written. */
  readonly isBusy: ReadonlySignal<boolean>;
  /** Asks; does nothing while an answer is being written or for a blank question. Resolves when the answer is over. */
  ask(question: string, scope: Scope): Promise<void>;
  /**
   * Asks the last question again, in place of its answer. One whose answer broke off is asked again only where the
   * service has no answer to it and writes none.
   */
  again(): Promise<void>;
  /** Stops the answer being written; what has arrived stays. */
  stop(): void;
  /** Waits no longer for pages that do not answer: asks with those that have, or the company alone. */
  withoutPage(): void;
  /** Stops, keeps what has come, and begins an empty conversation. */
  clear(): void;
  /** Goes on with a conversation that was kept, and with the answer that was being written then. */
  open(turns: readonly HeldTurn[], conversation: ConversationRef): void;
  /** Judges an answer. */
  judge(turn: Turn, isPositive: boolean, text?: string): Promise<void>;
}

/** Begins an empty conversation. */
export function createConversation(world: ConversationWorld): Conversation {
  const turns = signal<readonly OpenTurn[]>([]);
  const running = signal<AbortController | undefined>(undefined);
  const { patienceMs = PATIENCE_MS } = world;
  let place: ConversationRef = {};
  let keptAt = 0;
  /** What was made of answers that are over: they do not change any more. */
  const held = new WeakMap<Answer, HeldTurn>();

  const hold = (turn: OpenTurn): HeldTurn => {
    const given = turn.answer.peek();
    const known = held.get(given);
    if (known !== undefined && (known.thumb ?? "none") === turn.thumb.peek()) return known;
    const made = holdTurn(turn);
    if (isFinal(given.status)) held.set(given, made);
    return made;
  };
  const keep = () => {
    keptAt = performance.now();
    const here = running.peek() === undefined ? {} : turns.peek().at(-1)?.answer.peek().conversation;
    world.keep(turns.peek().map(hold), { ...place, ...here });
  };

  /** Shows an answer as it comes, until it is over, stopped or left. */
  async function follow(
    turn: OpenTurn,
    come: (stopped: AbortSignal) => AsyncGenerator<Answer>,
    isRevived: boolean = false,
  ): Promise<void> {
    const controller = new AbortController();
    running.value = controller;
    let session = place.chatSessionId;
    try {
      if (!isRevived) turn.isPrivate = await world.isPrivate().catch(() => true);
      if (running.peek() === controller) keep();
      for await (const snapshot of come(controller.signal)) {
        // Left for another conversation meanwhile: nobody looks at this one any more.
        if (running.peek() !== controller) return;
        show(turn, snapshot);
        // Whoever closes a private window before more comes must not find its session in a list.
        const isNamed = snapshot.conversation.chatSessionId !== session;
        session = snapshot.conversation.chatSessionId;
        if (isNamed) world.frame.flush();
        if ((isNamed || performance.now() - keptAt > KEEP_MS) && !isFinal(snapshot.status)) keep();
        await world.frame.breathe();
      }
    } finally {
      world.frame.flush();
      if (running.peek() === controller) {
        running.value = undefined;
        place = { ...place, ...turn.answer.peek().conversation };
        keep();
      }
    }
  }

  function show(turn: OpenTurn, snapshot: Answer): void {
    world.frame.schedule(() => {
      turn.answer.value = snapshot;
    });
    if (isFinal(snapshot.status)) world.frame.flush();
  }

  async function* answers(
    turn: OpenTurn,
    parent: SendMessageInput["parent_message_id"],
    stopped: AbortSignal,
  ): AsyncGenerator<Answer> {
    turn.scope = await inTime(world.settle(turn.scope), stopped, turn.scope);
    if (stopped.aborted) return yield { ...emptyAnswer(), status: "stopped" };
    if (world.service() === undefined) return yield failedAnswer(ownFailure("not_configured"));
    const { context, pages } = turn.scope.page ? await read(turn, stopped) : { context: "", pages: NO_PAGES };
    if (stopped.aborted) return yield { ...emptyAnswer(), status: "stopped" };
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
    const { allowedTools, hindrance, questionOf } = service.asking;
    const withPage = context !== "";
    const [why, { ids: allowed, off }] = await Promise.all([
      hindrance(service, withPage, stopped),
      allowedTools(service, turn.scope, withPage, stopped),
    ]);
    if (stopped.aborted) return yield { ...emptyAnswer(), status: "stopped" };
    if (why !== undefined) return yield failedAnswer(why);
    if (off !== undefined) turn.notes.value = { searchOff: off };
    const sentIn = (where: ConversationRef) => questionOf(service, turn, where, { parent, context, allowed });
    const onLost = () => {
      place = {};
      turn.notes.value = { ...turn.notes.peek(), begunAnew: true };
    };
    try {
      yield* service.asking.asked(sentIn, { ...service, place, signal: stopped, patienceMs, onLost });
    } finally {
      const { conversation } = turn.answer.peek();
      if (place.chatSessionId === undefined) service.asking.giveName(service.recovery, { ...turn, conversation });
    }
  }

  /** Answers a question once more, unless the service has its first answer, or is still at it. */
  async function* answersAgain(turn: OpenTurn, before: OpenTurn, stopped: AbortSignal): AsyncGenerator<Answer> {
    const service = world.service();
    const given = before.answer.peek();
    let conversation: ConversationRef | undefined = given.conversation;
    if (service?.asking.mayBeThere(given) === true) {
      turn.pages.value = before.pages.peek();
      turn.notes.value = before.notes.peek();
      const sent = { ...before, conversation, place };
      const looking = { signal: stopped, patienceMs };
      conversation = yield* service.asking.firstAnswer(service.recovery, sent, given.status, looking);
    }
    if (conversation === undefined) return;
    const { chatSessionId = place.chatSessionId, userMessageId } = conversation;
    if (chatSessionId !== undefined) place = { ...place, chatSessionId };
    // A question the server has kept is answered anew; one it never saw is sent again.
    yield* answers(turn, userMessageId ?? -1, stopped);
  }

  /** Goes on with an answer that was being written when its panel was closed, where the service has more of it. */
  async function* answersOn(turn: OpenTurn, kept: HeldTurn, stopped: AbortSignal): AsyncGenerator<Answer> {
    const service = world.service();
    if (service === undefined) return;
    yield shownAnswer({ ...kept.answer, status: kept.answer.text === "" ? "waiting" : "answering" });
    const sent = { ...turn, conversation: kept.answer.conversation, place };
    const looking = { shown: kept.answer.text.length, signal: stopped, patienceMs };
    const isWhole = yield* service.asking.restOf(service.recovery, sent, looking);
    if (!isWhole) yield revivedAnswer(kept.answer);
  }

  /** Reads the pages of a turn, and says that it does; ended by the person only, by stopping or by going on without. */
  async function read(turn: OpenTurn, stopped: AbortSignal): Promise<PagesRead> {
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

  return {
    turns,
    isBusy: computed(() => running.value !== undefined),
    async ask(question, scope) {
      if (running.peek() !== undefined || question.trim() === "") return;
      const turn = newTurn(question.trim(), scope);
      turns.value = [...turns.peek(), turn];
      await follow(turn, (stopped) => answers(turn, -1, stopped));
    },
    async again() {
      const last = turns.peek().at(-1);
      if (running.peek() !== undefined || last === undefined) return;
      const turn = { ...newTurn(last.question, last.scope), mark: last.mark };
      turns.value = [...turns.peek().slice(0, -1), turn];
      await follow(turn, (stopped) => answersAgain(turn, last, stopped));
    },
    stop: () => running.peek()?.abort(),
    withoutPage: () => turns.peek().at(-1)?.enough.abort(),
    clear() {
      leave();
      turns.value = [];
      place = {};
    },
    open(kept, conversation) {
      leave();
      place = conversation;
      turns.value = kept.map(revivedTurn);
      const [turn, last] = [turns.peek().at(-1), kept.at(-1)];
      if (turn === undefined || last === undefined || isFinal(last.answer.status)) return;
      void follow(turn, (stopped) => answersOn(turn, last, stopped), true);
    },
    async judge(given, isPositive, text) {
      const turn = turns.peek().find(({ id }) => id === given.id);
      const messageId = turn?.answer.peek().conversation.messageId;
      if (turn === undefined) return;
      turn.thumb.value = "sending";
      try {
        if (messageId === undefined) throw new TypeError("The service did not name this answer.");
        await world.service()?.giveFeedback({ messageId, isPositive, ...(text === undefined ? {} : { text }) });
        turn.thumb.value = isPositive ? "up" : "down";
        keep();
      } catch (error) {
        const unsupported = error instanceof TypeError || nameOf(error) === "UnsupportedError";
        turn.thumb.value = unsupported ? "unsupported" : "failed";
      }
    },
  };

  function leave(): void {
    const controller = running.peek();
    if (controller === undefined) return;
    world.frame.flush();
    keep();
    running.value = undefined;
    controller.abort();
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");
