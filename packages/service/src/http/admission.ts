import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { refusal } from "./problem.ts";

/** How many pieces of work of one kind go on at a time, and how many may wait. */
interface AdmissionLimits {
  /** At work at one time. */
  readonly running: number;
  /** At work at one time for one caller; what is left is for others, however long that work takes. Default: all. */
  readonly runningEach?: number;
  /** Waiting for one caller, and in all. */
  readonly waitingEach: number;
  readonly waiting: number;
  /** Longest wait, milliseconds. */
  readonly waitMs: number;
  /** Whether a piece of work keeps the event loop to itself, so that others need a breath before the next. */
  readonly isLong: boolean;
  /** Longest time for which other long work waits for this before a step, milliseconds. Default 100. */
  readonly patienceMs?: number;
}

/** A place at work; to be given back once, when the work has ended. */
export type Slot = () => void;

/** Somebody who will work when it is their turn. */
export interface Ticket {
  /** Resolves when it is. Throws a Problem (503) where the wait was too long, or the signal is aborted. */
  enter(signal: AbortSignal): Promise<void>;
  /** To be called in the end, whether it came to work or not. What is called twice does nothing. */
  leave(): void;
}

interface Waiting {
  readonly admit: () => void;
  readonly refuse: () => void;
}

/**
 * Lets costly work in, a little at a time: callers take turns, so one who asks a thousand times waits for himself. Who
 * finds too many waiting is told to come back (503) rather than kept.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  /** Who waits, per caller; callers in the order of their turns. */
  readonly #queues = new Map<string, Waiting[]>();
  #running = 0;
  /** How much is at work, per caller; those without any are not there. */
  readonly #runningOf = new Map<string, number>();
  /** How much waits, also what has something to do before; and of that, per caller. */
  #waiting = 0;
  readonly #waitingOf = new Map<string, number>();
  /** Done when everybody who waits for quiet has gone on. */
  #quiet: Promise<void> = Promise.resolve();
  /** How long work took lately, milliseconds. */
  #usualMs = 50;

  /** @param closing when aborted, nobody waits any more */
  constructor(limits: AdmissionLimits, closing?: AbortSignal) {
    this.#limits = limits;
    closing?.addEventListener("abort", () => {
      for (const entry of [...this.#queues.values()].flat()) entry.refuse();
    });
  }

  /**
   * A place, when it is this caller's turn. Throws a Problem (503, with Retry-After) where too many wait, the wait was too
   * long, or the signal is aborted.
   */
  async enter(caller: string, signal: AbortSignal): Promise<Slot> {
    if (signal.aborted) throw this.#busy();
    const ticket = this.join(caller);
    await ticket.enter(signal);
    return ticket.leave;
  }

  /**
   * Counts as waiting from now on, for whoever has something to do before it waits. Throws a Problem (503, with
   * Retry-After) where too many wait.
   */
  join(caller: string): Ticket {
    const { running, waiting, waitingEach } = this.#limits;
    const free = Math.max(0, running - this.#running);
    if (this.#waiting >= waiting + free || (this.#waitingOf.get(caller) ?? 0) >= waitingEach + free) throw this.#busy();
    this.#await(caller, 1);
    let state: "joined" | "in the queue" | "at work" | "gone" = "joined";
    let since = 0;
    return {
      enter: async (signal) => {
        if (signal.aborted || state !== "joined") throw this.#busy();
        state = "in the queue";
        // Who waits while there is room has as much at work as a caller may have.
        if (this.#running < running && this.#mayRun(caller)) this.#begin(caller);
        else await this.#wait(caller, signal);
        state = "at work";
        since = performance.now();
        // Also when nobody is known to wait: who does may not have been let in yet.
        if (this.#limits.isLong) await breath();
      },
      leave: () => {
        if (state === "at work") {
          this.#usualMs += (performance.now() - since - this.#usualMs) / 8;
          this.#end(caller);
          this.#admitNext();
        } else if (state === "joined") this.#await(caller, -1);
        state = "gone";
      },
    };
  }

  /**
   * What other long work waits for before each of its steps: this work goes first, though for `patienceMs` at most, so
   * that nothing stands still because of it. Of those who wait one goes on at a time.
   */
  quiet(): Promise<void> {
    const look = async (): Promise<void> => {
      await turn();
      const until = performance.now() + (this.#limits.patienceMs ?? 100);
      while (this.#running + this.#waiting > 0 && performance.now() < until) await pause(LOOK_MS);
    };
    this.#quiet = this.#quiet.then(look);
    return this.#quiet;
  }

  #mayRun(caller: string): boolean {
    return (this.#runningOf.get(caller) ?? 0) < (this.#limits.runningEach ?? this.#limits.running);
  }

  #await(caller: string, more: 1 | -1): void {
    this.#waiting += more;
    add(this.#waitingOf, caller, more);
  }

  #begin(caller: string): void {
    this.#await(caller, -1);
    this.#running++;
    add(this.#runningOf, caller, 1);
  }

  #end(caller: string): void {
    this.#running--;
    add(this.#runningOf, caller, -1);
  }

  #wait(caller: string, signal: AbortSignal): Promise<void> {
    const queue = this.#queues.get(caller) ?? [];
    const { waitMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", entry.refuse);
        settle();
      };
      const refuse = (): void => {
        this.#remove(caller, entry);
        end(() => reject(this.#busy()));
      };
      const entry: Waiting = { admit: () => end(resolve), refuse };
      const timer = setTimeout(refuse, waitMs);
      signal.addEventListener("abort", refuse);
      queue.push(entry);
      this.#queues.set(caller, queue);
    });
  }

  #remove(caller: string, entry: Waiting): void {
    const queue = this.#queues.get(caller) ?? [];
    const at = queue.indexOf(entry);
    if (at === -1) return;
    queue.splice(at, 1);
    this.#await(caller, -1);
    if (queue.length === 0) this.#queues.delete(caller);
  }

  /** The next is the first of the caller whose turn it is; that caller then goes behind all others. */
  #admitNext(): void {
    const [caller, queue] = [...this.#queues].find(([one]) => this.#mayRun(one)) ?? [];
    const next = queue?.shift();
    if (caller === undefined || queue === undefined || next === undefined) return;
    this.#queues.delete(caller);
    if (queue.length > 0) this.#queues.set(caller, queue);
    this.#begin(caller);
    next.admit();
  }

  #busy(): Error {
    const seconds = Math.ceil((this.#waiting * this.#usualMs) / this.#limits.running / 1_000);
    const wait = Math.min(30, Math.max(1, seconds));
    return refusal(
      503,
      "SERVICE_BUSY",
      `The service is busy: too many requests wait already. Nothing was done; try again in ${wait} s.`,
      { "Retry-After": String(wait) },
    );
  }
}

/** Those without any are not there. */
function add(counts: Map<string, number>, caller: string, more: number): void {
  const count = (counts.get(caller) ?? 0) + more;
  if (count > 0) counts.set(caller, count);
  else counts.delete(caller);
}

/** From one look for quiet to the next, milliseconds. */
const LOOK_MS = 5;

/** Rounds of the event loop between two pieces of work, and longest time of them together, milliseconds. */
const ROUNDS = 64;
const BREATH_MS = 10;

/**
 * What arrived meanwhile, a question for health above all, is answered before the next piece of work. A round takes one
 * new connection, so there have to be many; without anything to do they take a fraction of a millisecond together. Where
 * they take long, others have their turn in each, and while documents arrive there is no end of them.
 */
async function breath(): Promise<void> {
  const until = performance.now() + BREATH_MS;
  for (let round = 0; round < ROUNDS && performance.now() < until; round++) await turn();
}

/**
 * Questions. Without a model an answer is work from its beginning to its end, here and in threads by turns: so many keep
 * both busy, and more of them at a time end no sooner. With one it is mostly waiting for the model.
 */
export function questionAdmission(hasModel: boolean, closing: AbortSignal): Admission {
  // A model that says nothing, asked by one caller, must not keep the others waiting.
  // An answer by a model is work for a moment, and then a wait.
  const running = hasModel ? { running: 40, runningEach: 32, patienceMs: 20 } : { running: 4 };
  return new Admission({ ...running, waitingEach: 64, waiting: 256, waitMs: 30_000, isLong: true }, closing);
}

/**
 * Documents that are sent. Their bodies wait unread, so the wait is shorter than a request may take to arrive. One that
 * was begun and does not end has its place all that time: no caller has all of them.
 */
export function ingestionAdmission(closing: AbortSignal): Admission {
  const running = { running: 32, runningEach: 24 };
  return new Admission({ ...running, waitingEach: 72, waiting: 256, waitMs: 15_000, isLong: false }, closing);
}
