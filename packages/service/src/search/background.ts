/** Work that goes on in the background until nothing is left to do. */
export interface Background {
  /** Says that there is more to do. */
  wake(): void;
  /** Resolves when everything is done, or cannot be done now (see `retryAfterMs`). */
  drain(): Promise<void>;
  /** Resolves when the running step has ended; nothing is done afterwards. What is left is done after the next start. */
  stop(): Promise<void>;
}

/** How the work is asked for; to be looked at between its steps. */
export interface Pace {
  readonly stopping: AbortSignal;
  /** Somebody waits for the end. */
  readonly isHurried: boolean;
  /** When there was more to do last, by `performance.now()`. */
  readonly wokenAt: number;
}

/**
 * Starts with what an earlier run left.
 * @param work does all there is to do; called again when there is more
 * @param failed told why the work could not go on; it is tried again after `retryAfterMs`
 */
export function startBackground(
  work: (pace: Pace) => Promise<void>,
  failed: (error: unknown) => void,
  retryAfterMs: number,
): Background {
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  const controller = new AbortController();
  const pace = { stopping: controller.signal, isHurried: false, wokenAt: 0 };
  const run = async (): Promise<void> => {
    try {
      await work(pace);
    } catch (error) {
      failed(error);
      retry = setTimeout(wake, retryAfterMs).unref();
    } finally {
      running = undefined;
      pace.isHurried = false;
    }
  };
  const wake = (): void => {
    clearTimeout(retry);
    pace.wokenAt = performance.now();
    if (!controller.signal.aborted) running ??= run();
  };
  wake();
  return {
    wake,
    async drain() {
      pace.isHurried = true;
      wake();
      await running;
    },
    async stop() {
      controller.abort();
      clearTimeout(retry);
      await running;
    },
  };
}
