import { visibleLine } from "../visible.ts";

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

/** How a conversation is called until its first answer has come. */
export interface Naming {
  /**
   * Tells it from all others: until its first answer came, a session can be found by nothing else, and two people can ask
   * the same words with one key at the same moment.
   */
  readonly mark: string;
  /** False: the server is told no words as a name, but the mark alone, for good. */
  readonly isNamed: boolean;
}

/** The name a session is created under. */
export function markedName(question: string, { mark, isNamed }: Naming): string {
  return isNamed ? `${sessionName(question)} · ${mark}` : mark;
}

/** A mark nobody else has; not a secret. */
export function newMark(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, "0");
}
