/** Work that gives way each time it yields. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Milliseconds of work in one go. What a page's people do meets no longer wait than this and one piece more. */
const STEP_MS = 60;

/** Milliseconds of work for a word that is looked up among others. */
export const WORD_MS = 0.002;

/** Characters of a long text that are looked through in one go, and milliseconds of work for each. */
export const PIECE = 200_000;
export const CHARACTER_MS = 0.000_05;

/**
 * Milliseconds of work between two looks at the clock, which costs more than most of what is done in between: as was
 * told ahead, and so many for each time that `isDue` is asked.
 */
const UNLOOKED_MS = 0.5;
const ASKED_MS = 0.05;

/**
 * The clock of work on a page, which shares its thread with the page: work yields where a step's time is over, and its
 * driver lets the page go on there. A page that is read in less time is read in one step.
 */
export class Pace {
  #began = performance.now();
  #earlier = 0;
  #unlooked = 0;

  /** Whether a step's time is over, or would be after `ahead` more milliseconds in one go. If so, the next step begins. */
  isDue(ahead = 0): boolean {
    this.#unlooked += ahead + ASKED_MS;
    if (this.#unlooked < UNLOOKED_MS) return false;
    this.#unlooked = 0;
    const step = performance.now() - this.#began;
    if (step + ahead < STEP_MS || step < 1) return false;
    this.#earlier += step;
    this.#began += step;
    return true;
  }

  /** Begins a step after others had their turn. */
  goOn(): void {
    this.#began = performance.now();
  }

  /** Milliseconds of work so far, without the turns of others. */
  get worked(): number {
    return this.#earlier + performance.now() - this.#began;
  }
}

/** What work comes to that nobody else waits for. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** What work comes to, with turns of the page between its steps. */
export async function inTurns<Result>(steps: Steps<Result>, pace: Pace): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    await turn();
    pace.goOn();
    step = steps.next();
  }
  return step.value;
}

/**
 * Ends when what waits in the thread had its turn. A message to oneself: timers wait for a second or a minute in tabs
 * that nobody looks at, frames are not drawn there, and `scheduler.yield` goes on before the page's own tasks.
 */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const over = () => {
      port1.close();
      resolve();
    };
    port1.addEventListener("message", over, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}
