import { oneLine, styled, type Screen } from "./output.ts";
import { type Amount, megabytes, Pace, perSecond, span } from "./pace.ts";
import { cutToWidth, widthOf } from "./width.ts";

/**
 * A bar on one line that is drawn over again. On a screen that is not a terminal: a line now and then, so that a long run
 * is not silent there, and nothing in a short one.
 */
export interface Progress {
  /** One more is done; `label` names it, `bytes` is how large it was. */
  step(label: string, bytes?: number): void;
  /** How many there will be is known now. */
  expect(total: Amount): void;
  /** Words in the place of the bar. */
  show(words: string): void;
  /** A line above the bar. */
  say(line: string): void;
  /** Clears the bar. */
  end(): void;
}

/** A progress nobody sees. */
export const NO_PROGRESS: Progress = { step: () => {}, expect: () => {}, show: () => {}, say: () => {}, end: () => {} };

const FRAME_MS = 40;

/** How a progress is shown. */
export interface ProgressOptions {
  /** The clock, milliseconds. Default: one that nobody can set. */
  readonly now?: () => number;
  /** Where nothing is drawn: milliseconds between two lines. Default 60,000. */
  readonly everyMs?: number;
  /** Whether a line can be drawn over. Default: where the screen is a terminal. */
  readonly draws?: boolean;
}

/**
 * Starts a progress over `total` steps; undefined: nobody knows yet how many there will be. It uses no cursor control but
 * the carriage return, so nothing that is written to a screen can move anything but its own line.
 */
export function startProgress(
  screen: Screen,
  total: number | undefined,
  { now = () => performance.now(), everyMs = 60_000, draws = screen.isTerminal }: ProgressOptions = {},
): Progress {
  const pace = new Pace(now);
  let expected: Amount | undefined = total === undefined ? undefined : { count: total, bytes: 0 };
  let last = "";
  let words = "";
  const lines = draws ? undefined : setInterval(() => screen.write(`${progressWords()}\n`), everyMs);
  lines?.unref();
  const progressWords = (): string => {
    if (words !== "") return `Still at it: ${words}.`;
    const { done } = pace;
    const of = expected === undefined ? "" : ` of ${expected.count}`;
    const said = [`${done.count}${of} done`, ...paceWords(pace, expected)].join(", ");
    return `Still at it: ${said}${last === "" ? "" : `; the latest ${oneLine(last)}`}.`;
  };
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
    step: (label, bytes = 0) => {
      pace.step(bytes);
      last = label;
      words = "";
      const { count } = pace.done;
      if (!draws || (now() - drawnAt < FRAME_MS && count !== expected?.count)) return;
      drawnAt = now();
      const bar = progressLine(screen, {
        done: count,
        total: expected?.count,
        facts: paceWords(pace, expected),
        label,
      });
      draw(bar.text, bar.width);
    },
    expect: (known) => {
      expected = known;
    },
    show: (said) => {
      words = oneLine(said);
      if (!draws) return;
      const line = cutToWidth(words, screen.columns - 3);
      draw(`  ${styled(screen, "dim", line)}`, 2 + widthOf(line));
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

/** What there is to say of the pace, the most telling first. */
function paceWords(pace: Pace, total: Amount | undefined): string[] {
  const rate = pace.rate();
  if (rate === undefined) return [];
  const leftMs = pace.leftMs(total);
  return [
    ...(leftMs === undefined ? [] : [`${span(leftMs)} left`]),
    perSecond(rate.count),
    ...(rate.bytes > 0 ? [`${megabytes(rate.bytes)}/s`] : []),
  ];
}

/** What a line of progress says. */
export interface ProgressState {
  readonly done: number;
  /** Undefined: nobody knows. */
  readonly total: number | undefined;
  /** What else there is to say, the most telling first: as many as there is room for. */
  readonly facts?: readonly string[];
  /** Names what was done last. */
  readonly label: string;
}

/** Columns below which no bar is drawn: there is more use for them. */
const BAR_FROM = 60;
/** A name that is cut to less than this says nothing. */
const LEAST_LABEL = 6;

/**
 * A line of progress as text and its width in columns: a bar where there is room, a count, the pace, a name. It is always
 * shorter than the screen is wide, so that it never wraps.
 */
export function progressLine(
  screen: Pick<Screen, "columns" | "colours">,
  { done, total, facts = [], label }: ProgressState,
): { text: string; width: number } {
  const parts: { shown: string; width: number }[] = [];
  let room = screen.columns - 1;
  const add = (plain: string, shown = plain): boolean => {
    const width = widthOf(plain) + 2;
    if (width > room) return false;
    parts.push({ shown: `  ${shown}`, width });
    room -= width;
    return true;
  };
  const count = total === undefined ? String(done) : `${String(done).padStart(String(total).length)}/${total}`;
  if (total !== undefined && screen.columns >= BAR_FROM) {
    const length = Math.max(4, Math.min(24, screen.columns - BAR_FROM));
    const full = total === 0 ? length : Math.round((length * Math.min(done, total)) / total);
    const [begun, open] = ["█".repeat(full), "░".repeat(length - full)];
    add(begun + open, styled(screen, "cyan", begun) + styled(screen, "dim", open));
  }
  add(count);
  for (const fact of facts) add(fact);
  const name = cutToWidth(oneLine(label), room - 2);
  // Last, as letters from the right would otherwise be set among the figures.
  if (name !== "" && (widthOf(name) >= LEAST_LABEL || !name.endsWith("…"))) add(name, styled(screen, "dim", name));
  return { text: parts.map(({ shown }) => shown).join(""), width: parts.reduce((sum, { width }) => sum + width, 0) };
}
