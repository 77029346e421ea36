import { oneLine, styled, type Screen } from "./output.ts";

/** A bar on one line that is drawn over again; on a screen that is not a terminal, nothing until `end`. */
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

/**
 * Starts a progress bar over `total` steps. It uses no cursor control but the carriage return, so nothing that is
 * written to a screen can move anything but its own line.
 */
export function startProgress(screen: Screen, total: number, now: () => number = Date.now): Progress {
  let done = 0;
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
      if (!screen.isTerminal || (now() - drawnAt < FRAME_MS && done < total)) return;
      drawnAt = now();
      const bar = progressLine(screen, done, total, label);
      draw(bar.text, bar.width);
    },
    show: (words) => {
      if (!screen.isTerminal) return;
      const line = cut(oneLine(words), screen.columns - 3);
      draw(`  ${styled(screen, "dim", line)}`, 2 + [...line].length);
    },
    say: (line) => {
      clear();
      screen.write(`${line}\n`);
    },
    end: clear,
  };
}

/** The bar as text and its width in columns. The label is cut so that the line never wraps. */
export function progressLine(
  screen: Pick<Screen, "columns" | "colours">,
  done: number,
  total: number,
  label: string,
): { text: string; width: number } {
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

function cut(text: string, room: number): string {
  const characters = [...text];
  return characters.length <= room ? text : `${characters.slice(0, Math.max(0, room - 1)).join("")}…`;
}
