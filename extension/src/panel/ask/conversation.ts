/**
 * The conversation of the panel: what was asked, what was answered, and the one question that is being answered now.
 * The panel talks to the service itself, and this store owns the AbortController: nothing else ends an answer.
 */
import type { Answer, ConversationRef } from "@threadlore/ask";
import { isFinal } from "@threadlore/ask";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { AskedService } from "./asking.ts";
import { answers, answersAgain, answersOn, type Dialogue } from "./answers.ts";
import type { ConversationWorld } from "./conversation-world.ts";
import type { Frame } from "./frame.ts";
import { newTurn, type OpenTurn, revivedTurn } from "./open-turn.ts";
import { type HeldTurn, holdTurn, type Scope, type Turn } from "./turn.ts";

/** How often an answer that is still being written is kept, milliseconds. */
const KEEP_MS = 1_000;
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

/** An answer as it comes, until the signal ends it. */
type Come = (stopped: AbortSignal) => AsyncGenerator<Answer>;

/** Begins an empty conversation. */
export function createConversation(world: ConversationWorld): Conversation {
  const turns = signal<readonly OpenTurn[]>([]);
  const running = signal<AbortController | undefined>(undefined);
  const dialogue: Dialogue = { world, patienceMs: world.patienceMs ?? PATIENCE_MS, place: {} };
  let keptAt = 0;
  const hold = createHolder();
  const keep = () => {
    keptAt = performance.now();
    const here = running.peek() === undefined ? {} : turns.peek().at(-1)?.answer.peek().conversation;
    world.keep(turns.peek().map(hold), { ...dialogue.place, ...here });
  };

  /** Shows an answer as it comes, until it is over, stopped or left. */
  async function follow(turn: OpenTurn, come: Come, isRevived = false): Promise<void> {
    const controller = new AbortController();
    running.value = controller;
    let session = dialogue.place.chatSessionId;
    try {
      if (!isRevived) turn.isPrivate = await world.isPrivate().catch(() => true);
      if (running.peek() === controller) keep();
      for await (const snapshot of come(controller.signal)) {
        // Left for another conversation meanwhile: nobody looks at this one any more.
        if (running.peek() !== controller) return;
        show(world.frame, turn, snapshot);
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
        dialogue.place = { ...dialogue.place, ...turn.answer.peek().conversation };
        keep();
      }
    }
  }

  return {
    turns,
    isBusy: computed(() => running.value !== undefined),
    async ask(question, scope) {
      if (running.peek() !== undefined || question.trim() === "") return;
      const turn = newTurn(question.trim(), scope);
      turns.value = [...turns.peek(), turn];
      await follow(turn, (stopped) => answers(dialogue, turn, -1, stopped));
    },
    async again() {
      const last = turns.peek().at(-1);
      if (running.peek() !== undefined || last === undefined) return;
      const turn = { ...newTurn(last.question, last.scope), mark: last.mark };
      turns.value = [...turns.peek().slice(0, -1), turn];
      await follow(turn, (stopped) => answersAgain(dialogue, turn, last, stopped));
    },
    stop: () => running.peek()?.abort(),
    withoutPage: () => turns.peek().at(-1)?.enough.abort(),
    clear() {
      leave();
      turns.value = [];
      dialogue.place = {};
    },
    open(kept, conversation) {
      leave();
      dialogue.place = conversation;
      turns.value = kept.map(revivedTurn);
      const [turn, last] = [turns.peek().at(-1), kept.at(-1)];
      if (turn === undefined || last === undefined || isFinal(last.answer.status)) return;
      void follow(turn, (stopped) => answersOn(dialogue, turn, last, stopped), true);
    },
    async judge(given, isPositive, text) {
      const turn = turns.peek().find(({ id }) => id === given.id);
      if (turn !== undefined && (await judge(turn, { isPositive, text }, world.service()))) keep();
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

/** Holds turns. What was made of answers that are over is remembered: they do not change any more. */
function createHolder(): (turn: OpenTurn) => HeldTurn {
  const held = new WeakMap<Answer, HeldTurn>();
  return (turn) => {
    const given = turn.answer.peek();
    const known = held.get(given);
    if (known !== undefined && (known.thumb ?? "none") === turn.thumb.peek()) return known;
    const made = holdTurn(turn);
    if (isFinal(given.status)) held.set(given, made);
    return made;
  };
}

function show(frame: Frame, turn: OpenTurn, snapshot: Answer): void {
  frame.schedule(() => {
    turn.answer.value = snapshot;
  });
  if (isFinal(snapshot.status)) frame.flush();
}

/** Tells the service what is thought of an answer, and shows how the thumb stands then. Whether it was told. */
async function judge(
  { answer, thumb }: OpenTurn,
  { isPositive, text }: { readonly isPositive: boolean; readonly text: string | undefined },
  service: AskedService | undefined,
): Promise<boolean> {
  thumb.value = "sending";
  try {
    const { messageId } = answer.peek().conversation;
    if (messageId === undefined) throw new TypeError("The service did not name this answer.");
    await service?.giveFeedback({ messageId, isPositive, ...(text === undefined ? {} : { text }) });
    thumb.value = isPositive ? "up" : "down";
    return true;
  } catch (error) {
    const isUnsupported = error instanceof TypeError || (error instanceof Error && error.name === "UnsupportedError");
    thumb.value = isUnsupported ? "unsupported" : "failed";
    return false;
  }
}
