import { visibleLine } from "./visible.ts";

/** Longest name, in code points. */
const LENGTH = 60;

/** A conversation's name: how its first question begins, on one line. */
export function sessionName(question: string): string {
  const words = visibleLine(question).replaceAll(/\s+/g, " ").trim();
  const characters = [...words];
  return characters.length <= LENGTH
    ? words
    : `${characters
        .slice(0, LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}

/**
 * The name, and a mark no other conversation carries: until its first answer came, a session can be found by nothing
 * else. Two people can ask the same words with one key at the same moment.
 */
export function nameWithMark(question: string): string {
  const mark = Math.random().toString(36).slice(2, 10).padEnd(8, "0");
  return `${sessionName(question)} · ${mark}`;
}
