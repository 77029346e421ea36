import { cut, oneLine, styled, type Screen } from "./output.ts";

/**
 * A bar on one line that is drawn over again. On a screen that is not a terminal: a line now and then, so that a long run
 * is not silent there, and nothing in a short one.
 */
export interface Progress {
  /** One more is done; `label` names it. */
  step(label: string): void;
  /** Words in the place of the bar. */
  show(words: string): void;
  /** A line above the bar. */
  say(line: string): void;
  /** Clears the bar. */
  end(): void;
}

const FRAME_MS = 40;

/** How a progress is shown. */
export interface ProgressOptions {
  /** The clock, milliseconds. Default: Date.now. */
  readonly now?: () => number;
  /** Where there is no terminal: milliseconds between two lines. Default 30,000. */
  readonly everyMs?: number;
}

/**
 * Starts a progress bar over `total` steps; undefined: nobody knows how many there will be. It uses no cursor control but the carriage return, so nothing that is
 * written to a screen can move anything but its own line.
 */
export function startProgress(
  screen: Screen,
  total: number | undefined,
  { now = Date.now, everyMs = 30_000 }: ProgressOptions = {},
): Progress {
  let done = 0;
  let last = "";
  let words = "";
  const lines = screen.isTerminal
    ? undefined
    : setInterval(() => {
        const of = total === undefined ? "" : ` of ${total}`;
        screen.write(
          `Still at it: ${words || `${done}${of} done${last === "" ? "" : `, the latest ${oneLine(last)}`}`}.\n`,
        );
      }, everyMs);
  lines?.unref();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawnWidth = 0;
  const draw = (line: string, width: number): void => {
    screen.write(`\r${line}${" ".repeat(Math.max(0, drawnWidth - width))}`);
    drawnWidth = width;
  };
  const clear = (): void => {
    if (drawnWidth > 0) screen.write(`\r${" ".repeat(drawnWidth)}\r`);
    drawnWidth = 0;
  };
  return {
    step: (label) => {
      done += 1;
      last = label;
      if (!screen.isTerminal || (now() - drawnAt < FRAME_MS && done !== total)) return;
      drawnAt = now();
      const bar = progressLine(screen, done, total, label);
      draw(bar.text, bar.width);
    },
    show: (said) => {
      words = oneLine(said);
      if (!screen.isTerminal) return;
      const line = cut(words, screen.columns - 3);
      draw(`  ${styled(screen, "dim", line)}`, 2 + [...line].length);
    },
    say: (line) => {
      clear();
      screen.write(`${line}\n`);
    },
    end: () => {
      clearInterval(lines);
      clear();
    },
  };
}

/**
 * The bar as text and its width in columns; without a total, a count in its place. The label is cut so that the line
 * never wraps.
 */
export function progressLine(
  screen: Pick<Screen, "columns" | "colours">,
  done: number,
  total: number | undefined,
  label: string,
): { text: string; width: number } {
  if (total === undefined) {
    const name = cut(oneLine(label), Math.max(0, screen.columns - `${done}`.length - 6));
    return { text: `  ${done}  ${styled(screen, "dim", name)}`, width: 4 + `${done}`.length + [...name].length };
  }
  const length = Math.max(4, Math.min(28, screen.columns - 44));
  const full = total === 0 ? length : Math.round((length * Math.min(done, total)) / total);
  const count = `${String(done).padStart(String(total).length)}/${total}`;
  const room = Math.max(0, screen.columns - length - count.length - 8);
  const name = cut(oneLine(label), room);
  const bar = styled(screen, "cyan", "█".repeat(full)) + styled(screen, "dim", "░".repeat(length - full));
  return {
    text: `  ${bar}  ${count}  ${styled(screen, "dim", name)}`,
    width: 2 + length + 2 + count.length + 2 + [...name].length,
  };
}
