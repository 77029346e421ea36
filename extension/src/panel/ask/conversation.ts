/**
 * The conversation of the panel: what was asked, what was answered, and the one question that is being answered now.
 * The panel talks to the service itself, and this store owns the AbortController: nothing else ends an answer.
 */
import type { Answer, ConversationRef } from "@threadlore/ask";
import { isFinal } from "@threadlore/ask";
import { computed, signal } from "@preact/signals";
import type { AskedService } from "./asking.ts";
import { answers, answersAgain, answersOn, type Dialogue } from "./answers.ts";
import type { ConversationWorld } from "./conversation-world.ts";
import type { Frame } from "./frame.ts";
import { type HeldTurn, holdTurn, newTurn, revivedTurn, type Scope, type Turn } from "./turn.ts";

/** How often an answer that is still being written is kept, milliseconds. */
const KEEP_MS = 1_000;
/** How long the service is waited for after its last sign before an answer is given up, milliseconds. */
const PATIENCE_MS = 60_000;

/** An answer as it comes, until the signal ends it. */
type Come = (stopped: AbortSignal) => AsyncGenerator<Answer>;

/** The conversation, empty at first. Everything that changes is a signal. */
export class Conversation {
  readonly turns = signal<readonly Turn[]>([]);
  readonly #running = signal<AbortController | undefined>(undefined);
  /** Whether an answer is being written. */
  readonly isBusy = computed(() => this.#running.value !== undefined);
  readonly #world: ConversationWorld;
  readonly #dialogue: Dialogue;
  readonly #held = createHolder();
  #keptAt = 0;

  constructor(world: ConversationWorld) {
    this.#world = world;
    this.#dialogue = { world, patienceMs: world.patienceMs ?? PATIENCE_MS, place: {} };
  }

  /** Asks; does nothing while an answer is being written or for a blank question. Resolves when the answer is over. */
  async ask(question: string, scope: Scope): Promise<void> {
    if (this.isBusy.peek() || question.trim() === "") return;
    const turn = newTurn(question.trim(), scope);
    this.turns.value = [...this.turns.peek(), turn];
    await this.#follow(turn, (stopped) => answers(this.#dialogue, turn, -1, stopped));
  }

  /**
   * Asks the last question again, in place of its answer. One whose answer broke off is asked again only where the
   * service has no answer to it and writes none.
   */
  async again(): Promise<void> {
    const last = this.turns.peek().at(-1);
    if (this.isBusy.peek() || last === undefined) return;
    const turn = { ...newTurn(last.question, last.scope), mark: last.mark };
    this.turns.value = [...this.turns.peek().slice(0, -1), turn];
    await this.#follow(turn, (stopped) => answersAgain(this.#dialogue, turn, last, stopped));
  }

  /** Stops the answer being written; what has arrived stays. */
  stop(): void {
    this.#running.peek()?.abort();
  }

  /** Waits no longer for pages that do not answer: asks with those that have, or the company alone. */
  withoutPage(): void {
    this.turns.peek().at(-1)?.enough.abort();
  }

  /** Stops, keeps what has come, and begins an empty conversation. */
  clear(): void {
    this.#leave();
    this.turns.value = [];
    this.#dialogue.place = {};
  }

  /** Goes on with a conversation that was kept, and with the answer that was being written then. */
  open(kept: readonly HeldTurn[], conversation: ConversationRef): void {
    this.#leave();
    this.#dialogue.place = conversation;
    this.turns.value = kept.map(revivedTurn);
    const [turn, last] = [this.turns.peek().at(-1), kept.at(-1)];
    if (turn === undefined || last === undefined || isFinal(last.answer.status)) return;
    void this.#follow(turn, (stopped) => answersOn(this.#dialogue, turn, last, stopped), true);
  }

  /** Judges an answer. */
  async judge(turn: Turn, isPositive: boolean, text?: string): Promise<void> {
    if (await judge(turn, { isPositive, text }, this.#world.service())) this.#keep();
  }

  /** Shows an answer as it comes, until it is over, stopped or left. */
  async #follow(turn: Turn, come: Come, isRevived = false): Promise<void> {
    const { isPrivate, frame } = this.#world;
    const controller = new AbortController();
    const isLeft = () => this.#running.peek() !== controller;
    this.#running.value = controller;
    let session = this.#dialogue.place.chatSessionId;
    try {
      if (!isRevived) turn.isPrivate = await isPrivate().catch(() => true);
      if (!isLeft()) this.#keep();
      for await (const snapshot of come(controller.signal)) {
        // Left for another conversation meanwhile: nobody looks at this one any more.
        if (isLeft()) return;
        show(frame, turn, snapshot);
        // Whoever closes a private window before more comes must not find its session in a list.
        const isNamed = snapshot.conversation.chatSessionId !== session;
        session = snapshot.conversation.chatSessionId;
        if (isNamed) frame.flush();
        if ((isNamed || performance.now() - this.#keptAt > KEEP_MS) && !isFinal(snapshot.status)) this.#keep();
        await frame.breathe();
      }
    } finally {
      frame.flush();
      if (!isLeft()) {
        this.#running.value = undefined;
        this.#dialogue.place = { ...this.#dialogue.place, ...turn.answer.peek().conversation };
        this.#keep();
      }
    }
  }

  #keep(): void {
    this.#keptAt = performance.now();
    const here = this.isBusy.peek() ? this.turns.peek().at(-1)?.answer.peek().conversation : {};
    this.#world.keep(this.turns.peek().map(this.#held), { ...this.#dialogue.place, ...here });
  }

  #leave(): void {
    const controller = this.#running.peek();
    if (controller === undefined) return;
    this.#world.frame.flush();
    this.#keep();
    this.#running.value = undefined;
    controller.abort();
  }
}

/** Holds turns. What was made of answers that are over is remembered: they do not change any more. */
function createHolder(): (turn: Turn) => HeldTurn {
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

function show(frame: Frame, turn: Turn, snapshot: Answer): void {
  frame.schedule(() => {
    turn.answer.value = snapshot;
  });
  if (isFinal(snapshot.status)) frame.flush();
}

/** Tells the service what is thought of an answer, and shows how the thumb stands then. Whether it was told. */
async function judge(
  { answer, thumb }: Turn,
  { isPositive, text }: { readonly isPositive: boolean; readonly text: string | undefined },
  service: AskedService | undefined,
): Promise<boolean> {
  thumb.value = "sending";
  try {
    const { messageId } = answer.peek().conversation;
    if (messageId === undefined) throw new TypeError("The service did not name this answer.");
    await service?.giveFeedback({ messageId, isPositive, text });
    thumb.value = isPositive ? "up" : "down";
    return true;
  } catch (error) {
    const isUnsupported = error instanceof TypeError || (error instanceof Error && error.name === "UnsupportedError");
    thumb.value = isUnsupported ? "unsupported" : "failed";
    return false;
  }
}
