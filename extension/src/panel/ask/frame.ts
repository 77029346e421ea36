/**
 * At most one call per frame, with whatever was scheduled last. A page nobody sees has no frames, so a timer stands
 * in for them there.
 */
export interface Frame {
  /** Replaces what was scheduled and not yet done. */
  schedule(work: () => void): void;
  /** Does now what was scheduled, if anything. */
  flush(): void;
  /** Resolves at once, or, after a good while of work without a break, when the page has had its turn. */
  breathe(): Promise<void> | undefined;
}

const HIDDEN_MS = 250;
/** Work without a break: far below 50 ms, where a person begins to feel it. */
const SLICE_MS = 8;

/** @param frames where frames come from; the window, unless a test says otherwise */
export function createFrame(frames: Pick<Window, "requestAnimationFrame" | "cancelAnimationFrame"> = window): Frame {
  let waiting: (() => void) | undefined;
  let frame = 0;
  let since = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    frames.cancelAnimationFrame(frame);
    clearTimeout(timer);
    const work = waiting;
    waiting = undefined;
    work?.();
  };
  return {
    schedule(work) {
      const idle = waiting === undefined;
      waiting = work;
      if (!idle) return;
      frame = frames.requestAnimationFrame(flush);
      timer = setTimeout(flush, HIDDEN_MS);
    },
    flush,
    breathe() {
      if (performance.now() - since < SLICE_MS) return undefined;
      return new Promise((resolve) => {
        setTimeout(() => {
          since = performance.now();
          resolve();
        });
      });
    },
  };
}
