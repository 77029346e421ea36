import type { ServiceContext } from "../context.ts";

/** Why a run ends before its answer does. */
export type Ending = "stopped" | "gone" | "closing";

/** A run's own end of the line: what to do when it is told to end, and how it reports that it has. */
export interface RunHandle {
  /** Aborted, with an `Ending` as its reason, when the run must end. */
  readonly signal: AbortSignal;
  /**
   * Resolves when it is this run's turn in its session, rejects with the `Ending` if that comes first. Runs of one session
   * go one after the other.
   */
  readonly turn: Promise<void>;
  end(reason: Ending): void;
  /** Called once, at the run's end. */
  close(): void;
}

/** The answers being written now. */
export class Runs {
  /** With the session of each. */
  readonly #running = new Map<RunHandle, string>();
  readonly #last = new Map<string, Promise<void>>();

  /** Runs end with the service. */
  constructor(context: Pick<ServiceContext, "closing">) {
    context.closing.addEventListener("abort", () => {
      for (const run of this.#running.keys()) run.end("closing");
    });
  }

  /**
   * Adds a run at the end of its session's queue.
   * @param settle called at once, synchronously, when the run is told to end: the place to write what there is
   */
  open(sessionId: string, settle: (reason: Ending) => void): RunHandle {
    const controller = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { promise: ended, reject } = Promise.withResolvers<never>();
    ended.catch(() => undefined);
    const before = this.#last.get(sessionId) ?? Promise.resolve();
    const last = before.then(() => closed);
    this.#last.set(sessionId, last);
    const handle: RunHandle = {
      signal: controller.signal,
      turn: Promise.race([before, ended]),
      end: (reason) => {
        if (controller.signal.aborted) return;
        controller.abort(reason);
        reject(reason);
        settle(reason);
      },
      close: () => {
        resolve();
        this.#running.delete(handle);
        if (this.#last.get(sessionId) === last) this.#last.delete(sessionId);
      },
    };
    handle.turn.catch(() => undefined);
    this.#running.set(handle, sessionId);
    return handle;
  }

  /** Ends every run of a session, as its user asked. */
  stop(sessionId: string): void {
    for (const [run, of] of this.#running) if (of === sessionId) run.end("stopped");
  }
}
