import type { ServiceContext } from "../context.ts";

/** Why a run ends before its answer does. */
export type Ending = "stopped" | "gone" | "closing";

/** A run's own end of the line: what to do when it is told to end, and how it reports that it has. */
export interface RunHandle {
  /** Aborted, with an `Ending` as its reason, when the run must end. */
  readonly signal: AbortSignal;
  /** Resolves when it is this run's turn in its session. Runs of one session go one after the other. */
  readonly turn: Promise<void>;
  end(reason: Ending): void;
  /** Called once, at the run's end. */
  close(): void;
}

interface Running {
  readonly sessionId: string;
  end(reason: Ending): void;
}

/** The answers being written now. */
export class Runs {
  readonly #running = new Set<Running>();
  readonly #last = new Map<string, Promise<void>>();

  /** Runs end with the service. */
  constructor(context: Pick<ServiceContext, "closing">) {
    context.closing.addEventListener("abort", () => {
      for (const run of this.#running) run.end("closing");
    });
  }

  /**
   * Adds a run at the end of its session's queue.
   * @param settle called at once, synchronously, when the run is told to end: the place to write what there is
   */
  open(sessionId: string, settle: (reason: Ending) => void): RunHandle {
    const controller = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const turn = this.#last.get(sessionId) ?? Promise.resolve();
    const last = turn.then(() => closed);
    this.#last.set(sessionId, last);
    const end = (reason: Ending) => {
      if (controller.signal.aborted) return;
      controller.abort(reason);
      settle(reason);
    };
    const run: Running = { sessionId, end };
    this.#running.add(run);
    const close = () => {
      resolve();
      this.#running.delete(run);
      if (this.#last.get(sessionId) === last) this.#last.delete(sessionId);
    };
    return { signal: controller.signal, turn, end, close };
  }

  /** Ends every run of a session, as its user asked. */
  stop(sessionId: string): void {
    for (const run of this.#running) if (run.sessionId === sessionId) run.end("stopped");
  }
}
