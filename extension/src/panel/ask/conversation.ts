/**
 * The conversation of the panel: what was asked, what was answered, and the one question that is being answered now.
 * The panel talks to the service itself, and this store owns the AbortController: nothing else ends an answer.
 */
import type { Answer, ConversationRef } from "@threadlore/ask";
import { isFinal } from "@threadlore/ask";
import { computed, signal } from "@preact/signals";
import type { Service } from "../connection/service.ts";
import type { Answering } from "./answering.ts";
import type { Dialogue } from "./answers.ts";
import type { ConversationWorld } from "./conversation-world.ts";
import type { Frame } from "./frame.ts";
import { type HeldTurn, newTurn, type Scope, type Turn, type Waiting } from "./turn.ts";

/** How often an answer that is still being written is kept, milliseconds. */
const KEEP_MS = 1_000;
/** How long the service is waited for after its last sign before an answer is given up, milliseconds. */
const PATIENCE_MS = 60_000;

/** An answer as it comes, until the signal ends it. */
type Come = (stopped: AbortSignal, how: Answering) => AsyncGenerator<Answer>;

/** The conversation, empty at first. Everything that changes is a signal. */
export class Conversation {
  readonly turns = signal<readonly Turn[]>([]);
  /**
   * Questions asked while an answer was being written, in their order. Each is asked when the answer before it is
   * complete; behind one that was stopped or broke off they wait until they are asked by hand.
   */
  readonly queue = signal<readonly Waiting[]>([]);
  readonly #running = signal<AbortController | undefined>(undefined);
  /** Whether an answer is being written. */
  readonly isBusy = computed(() => this.#running.value !== undefined);
  readonly #world: ConversationWorld;
  readonly #answering: () => Promise<Answering>;
  readonly #dialogue: Dialogue;
  /** Undefined until it is loaded; before that there is nothing to hold. */
  #held: ((turn: Turn) => HeldTurn) | undefined;
  #keptAt = 0;

  /** @param answering loaded with the first question, or with what was said before */
  constructor(world: ConversationWorld, answering: () => Promise<Answering>) {
    this.#world = world;
    this.#answering = async () => {
      const how = await answering();
      this.#held ??= createHolder(how.holdTurn);
      return how;
    };
    this.#dialogue = { world, patienceMs: world.patienceMs ?? PATIENCE_MS, place: {}, next: -1 };
  }

  /** Loads what it takes to ask: whoever begins to write a question will send it. Resolves when it is there. */
  async prepare(): Promise<void> {
    await this.#answering();
  }

  /**
   * Asks; while an answer is being written the question waits for its turn. Does nothing for a blank one. Resolves when
   * the answer is over, or the question waits.
   */
  async ask(question: string, scope: Scope): Promise<void> {
    const text = question.trim();
    if (text === "") return;
    if (this.isBusy.peek()) return this.#wait({ id: crypto.randomUUID(), question: text, scope });
    await this.#askBehind(this.turns.peek(), newTurn(text, scope));
  }

  /** Asks the first question that waits, unless an answer is being written. */
  askNext(): void {
    const [first, ...rest] = this.queue.peek();
    if (first === undefined || this.isBusy.peek()) return;
    this.queue.value = rest;
    void this.ask(first.question, first.scope);
  }

  /** Takes back a question that waits, or all of them; returns what it asked, "" where none waits. */
  takeBack(id?: string): string {
    const all = this.queue.peek();
    const taken = all.filter((one) => id === undefined || one.id === id);
    if (taken.length === 0) return "";
    this.#wait(
      undefined,
      all.filter((one) => !taken.includes(one)),
    );
    return taken.map(({ question }) => question).join("\n\n");
  }

  /**
   * Asks another question in place of one that was asked. What was said from there on stands aside and can be had back.
   * Does nothing while an answer is being written, or for a blank question.
   */
  async askInstead(turn: Turn, question: string): Promise<void> {
    const turns = this.turns.peek();
    const at = turns.indexOf(turn);
    const text = question.trim();
    if (this.isBusy.peek() || at < 0 || text === "") return;
    const before = turns.slice(0, at);
    this.#goOnBehind(before, turn);
    await this.#askBehind(before, { ...newTurn(text, turn.scope), aside: [turns.slice(at), ...turn.aside] });
  }

  /** Shows what stands aside of a turn that was asked anew; what is shown now stands aside instead. */
  turnBack(turn: Turn): void {
    const turns = this.turns.peek();
    const at = turns.indexOf(turn);
    const [shown, ...others] = turn.aside;
    const [first, ...rest] = shown ?? [];
    if (this.isBusy.peek() || at < 0 || first === undefined) return;
    const back = [...turns.slice(0, at), { ...first, aside: [...others, turns.slice(at)] }, ...rest];
    this.turns.value = back;
    this.#goOnBehind(back, turn);
    this.#keep();
  }

  /**
   * Asks the last question again, in place of its answer. One whose answer broke off is asked again only where the
   * service has no answer to it and writes none.
   */
  async again(): Promise<void> {
    const last = this.turns.peek().at(-1);
    if (this.isBusy.peek() || last === undefined) return;
    const turn = { ...newTurn(last.question, last.scope), mark: last.mark, aside: last.aside };
    this.turns.value = [...this.turns.peek().slice(0, -1), turn];
    await this.#follow(turn, (stopped, how) => how.answersAgain(this.#dialogue, turn, last, stopped));
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
    this.queue.value = [];
    Object.assign(this.#dialogue, { place: {}, next: -1 });
  }

  /**
   * Goes on with a conversation that was kept, with the answer that was being written then, and with the questions that
   * waited for it. Resolves when it is shown; it is not, where another was begun or asked in meanwhile.
   */
  async open(
    kept: readonly HeldTurn[],
    conversation: ConversationRef,
    waiting: readonly Waiting[] = [],
  ): Promise<void> {
    this.#leave();
    const shown = this.turns.peek();
    const { revivedTurn } = await this.#answering();
    // Whoever was quicker has begun anew, or asked already.
    if (this.turns.peek() !== shown) return;
    const turns = kept.map(revivedTurn);
    this.turns.value = turns;
    this.queue.value = waiting;
    Object.assign(this.#dialogue, { place: conversation, next: -1 });
    if (turns.some(({ aside }) => aside.length > 0)) this.#goOnBehind(turns, undefined);
    const [turn, last] = [turns.at(-1), kept.at(-1)];
    if (turn === undefined || last === undefined || isFinal(last.answer.status)) return;
    void this.#follow(turn, (stopped, how) => how.answersOn(this.#dialogue, turn, last, stopped), true);
  }

  /** Judges an answer. */
  async judge(turn: Turn, isPositive: boolean, text?: string): Promise<void> {
    if (await judge(turn, { isPositive, text }, this.#world.service())) this.#keep();
  }

  async #askBehind(turns: readonly Turn[], turn: Turn): Promise<void> {
    this.turns.value = [...turns, turn];
    await this.#follow(turn, (stopped, how) => how.answers(this.#dialogue, turn, this.#dialogue.next, stopped));
  }

  #wait(more: Waiting | undefined, others: readonly Waiting[] = this.queue.peek()): void {
    this.queue.value = more === undefined ? others : [...others, more];
    this.#keep();
  }

  /**
   * The next question goes on behind these turns, and not where the service would put it.
   * @param other a turn of the same conversation, that names its session where none of these does
   */
  #goOnBehind(turns: readonly Turn[], other: Turn | undefined): void {
    const said = turns.map(({ answer }) => answer.peek().conversation);
    const own = said.at(-1)?.chatSessionId ?? other?.answer.peek().conversation.chatSessionId;
    const { place } = this.#dialogue;
    const chatSessionId = own ?? place.chatSessionId;
    // What is newer than anything that was said: only of that session is it known.
    this.#dialogue.place = chatSessionId === place.chatSessionId ? place : { chatSessionId };
    const last = said.findLast((one) => one.chatSessionId === chatSessionId && one.messageId !== undefined);
    this.#dialogue.next = last?.messageId ?? null;
  }

  /** Shows an answer as it comes, until it is over, stopped or left. */
  async #follow(turn: Turn, come: Come, isRevived = false): Promise<void> {
    const { isPrivate, frame } = this.#world;
    const controller = new AbortController();
    const isLeft = () => this.#running.peek() !== controller;
    this.#running.value = controller;
    let session = this.#dialogue.place.chatSessionId;
    try {
      const how = await this.#answering();
      if (!isRevived) turn.isPrivate = await isPrivate().catch(() => true);
      if (!isLeft()) this.#keep();
      for await (const snapshot of come(controller.signal, how)) {
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
        const { conversation, status } = turn.answer.peek();
        this.#dialogue.place = { ...this.#dialogue.place, ...conversation };
        // The service has it where it was asked: what comes next follows it by itself.
        if (conversation.userMessageId !== undefined) this.#dialogue.next = -1;
        this.#keep();
        if (status === "done") this.askNext();
      }
    }
  }

  #keep(): void {
    this.#keptAt = performance.now();
    const here = this.isBusy.peek() ? this.turns.peek().at(-1)?.answer.peek().conversation : {};
    const held = this.#held;
    if (held === undefined) return;
    this.#world.keep(this.turns.peek().map(held), { ...this.#dialogue.place, ...here }, this.queue.peek());
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
function createHolder(holdTurn: Answering["holdTurn"]): (turn: Turn) => HeldTurn {
  const known = new WeakMap<Answer, HeldTurn>();
  const hold = (turn: Turn): HeldTurn => {
    const given = turn.answer.peek();
    let held = known.get(given);
    if (held === undefined || (held.thumb ?? "none") !== turn.thumb.peek()) held = holdTurn(turn);
    if (isFinal(given.status)) known.set(given, held);
    return turn.aside.length === 0 ? held : { ...held, aside: turn.aside.map((turns) => turns.map(hold)) };
  };
  return hold;
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
  service: Service | undefined,
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
