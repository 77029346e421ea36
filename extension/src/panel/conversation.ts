/**
 * The conversation of the panel: what was asked, what was answered, and the one question that is being answered now.
 * The panel talks to the service itself, and this store owns the AbortController: nothing else ends an answer.
 */
import type { Answer, AskingClient, ConversationRef } from "@threadlore/ask";
import { ask, emptyAnswer, isFinal } from "@threadlore/ask";
import type { SendMessageInput } from "@threadlore/client/models";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { inTime } from "../read-tab.ts";
import type { Frame } from "./frame.ts";
import {
  failedAnswer,
  type HeldTurn,
  holdTurn,
  NO_PAGES,
  revivedAnswer,
  type Scope,
  type Thumb,
  type Turn,
  type TurnPages,
} from "./turn.ts";

/** The service as a conversation needs it. */
export interface Service {
  readonly client: AskingClient;
  /** How the extension names itself to this service. */
  readonly extensionOrigin: string;
  /** Persona that answers; null: the service's own choice. */
  readonly personaId: number | null;
  /** Names of the document sets that are searched; empty: all. */
  readonly documentSets: readonly string[];
  /** Ids of the tools that only search the company's documents; undefined where the service lists no tools. */
  searchTools(signal: AbortSignal): Promise<readonly number[] | undefined>;
  /** Throws the client's errors. */
  giveFeedback(feedback: { messageId: number; isPositive: boolean; text?: string }): Promise<void>;
}

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
}

/** How often an answer that is still being written is kept, milliseconds. */
const KEEP_MS = 1_000;
const SLOW_MS = 5_000;

/** Codes of failures that happen before anything is sent; the panel has words for them. */
export type OwnFailure = "not_configured" | "page_unreadable";

/** The conversation. Everything that changes is a signal. */
export interface Conversation {
  readonly turns: ReadonlySignal<readonly Turn[]>;
  /** Whether an answer is being written. */
  readonly isBusy: ReadonlySignal<boolean>;
  /** Asks; does nothing while an answer is being written or for a blank question. Resolves when the answer is over. */
  ask(question: string, scope: Scope): Promise<void>;
  /** Asks the last question again, in place of its answer. */
  again(): Promise<void>;
  /** Stops the answer being written; what has arrived stays. */
  stop(): void;
  /** Waits no longer for pages that do not answer: asks with those that have, or the company alone. */
  withoutPage(): void;
  /** Stops, keeps what has come, and begins an empty conversation. */
  clear(): void;
  /** Goes on with a conversation that was kept. */
  open(turns: readonly HeldTurn[], conversation: ConversationRef): void;
  /** Judges an answer. */
  judge(turn: Turn, isPositive: boolean, text?: string): Promise<void>;
}

interface OpenTurn extends Turn {
  scope: Scope;
  isPrivate: boolean;
  readonly answer: Signal<Answer>;
  readonly pages: Signal<TurnPages>;
  readonly thumb: Signal<Thumb>;
  readonly reading: Signal<"no" | "reading" | "slow">;
  /** Ends the wait for its pages. */
  readonly enough: AbortController;
}

/** Begins an empty conversation. */
export function createConversation(world: ConversationWorld): Conversation {
  const turns = signal<readonly OpenTurn[]>([]);
  const running = signal<AbortController | undefined>(undefined);
  let place: ConversationRef = {};
  let count = 0;
  let keptAt = 0;
  /** What was made of answers that are over: they do not change any more. */
  const held = new WeakMap<Answer, HeldTurn>();

  const newTurn = (question: string, scope: Scope): OpenTurn => ({
    id: `turn-${(count += 1)}`,
    question,
    scope,
    answer: signal(emptyAnswer()),
    pages: signal(NO_PAGES),
    thumb: signal<Thumb>("none"),
    reading: signal<"no" | "reading" | "slow">(scope.page ? "reading" : "no"),
    isPrivate: true,
    enough: new AbortController(),
  });
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

  async function answer(turn: OpenTurn, parent: SendMessageInput["parent_message_id"]): Promise<void> {
    const controller = new AbortController();
    running.value = controller;
    let session = place.chatSessionId;
    try {
      turn.isPrivate = await world.isPrivate().catch(() => true);
      if (running.peek() === controller) keep();
      for await (const snapshot of answers(turn, parent, controller.signal)) {
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
    const service = world.service();
    if (stopped.aborted) return yield { ...emptyAnswer(), status: "stopped" };
    if (service === undefined) return yield failedAnswer(ownFailure("not_configured"));
    const { context, pages } = turn.scope.page ? await read(turn, stopped) : { context: "", pages: NO_PAGES };
    if (stopped.aborted) return yield { ...emptyAnswer(), status: "stopped" };
    // With no page left to ask, what is left of the question goes to the company.
    const isWithout = turn.enough.signal.aborted && pages.asked.length === 0;
    if (isWithout) turn.scope = { page: turn.scope.company, company: true };
    turn.pages.value = pages;
    if (turn.scope.page && !turn.scope.company && pages.asked.length === 0) {
      return yield failedAnswer(ownFailure("page_unreadable"));
    }
    const allowed = await allowedTools(service, turn.scope, context !== "", stopped);
    yield* ask(service.client, questionOf(service, turn, place, { parent, context, allowed }), {
      signal: stopped,
    });
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
      await answer(turn, -1);
    },
    async again() {
      const last = turns.peek().at(-1);
      if (running.peek() !== undefined || last === undefined) return;
      // A question the server has kept is answered anew; one it never saw is sent again.
      const known = last.answer.peek().conversation.userMessageId;
      const turn = newTurn(last.question, last.scope);
      turns.value = [...turns.peek().slice(0, -1), turn];
      await answer(turn, known ?? -1);
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
      turns.value = kept.map((entry) => ({
        ...newTurn(entry.question, entry.scope),
        isPrivate: entry.isPrivate === true,
        reading: signal<"no" | "reading" | "slow">("no"),
        answer: signal(revivedAnswer(entry.answer)),
        pages: signal(entry.pages),
        thumb: signal<Thumb>(entry.thumb ?? "none"),
      }));
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

/**
 * The tools a question may use. A page is not trusted, so with one along no tool may act: with the page alone none is
 * allowed at all, and beside the company's knowledge only its search is (facts: security T6).
 */
async function allowedTools(
  service: Service,
  scope: Scope,
  withPage: boolean,
  stopped: AbortSignal,
): Promise<readonly number[] | undefined> {
  if (!scope.company) return [];
  return withPage ? service.searchTools(stopped) : undefined;
}

interface QuestionParts {
  readonly parent: SendMessageInput["parent_message_id"];
  readonly context: string;
  readonly allowed: readonly number[] | undefined;
}

/** A question as it is sent. */
function questionOf(
  service: Service,
  turn: Turn,
  place: ConversationRef,
  { parent, context, allowed }: QuestionParts,
): SendMessageInput {
  const { chatSessionId } = place;
  const session =
    chatSessionId === undefined
      ? { chat_session_info: { persona_id: service.personaId ?? 0 } }
      : { chat_session_id: chatSessionId, parent_message_id: parent };
  return {
    message: turn.question,
    origin: service.extensionOrigin,
    ...session,
    ...(context === "" ? {} : { additional_context: context }),
    ...(allowed === undefined ? {} : { allowed_tool_ids: [...allowed] }),
    ...(service.documentSets.length === 0 || !turn.scope.company
      ? {}
      : { internal_search_filters: { document_set: [...service.documentSets] } }),
  };
}

/** The panel shows its own words for these; the text is for logs and tests. */
function ownFailure(code: OwnFailure): { message: string; code: OwnFailure; retryable: boolean } {
  return { message: code, code, retryable: code === "page_unreadable" };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");
