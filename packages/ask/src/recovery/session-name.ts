import type { SendMessageInput } from "@threadlore/client/models";
import { visibleLine } from "../visible.ts";

/** Longest name, in code points. */
const MAX_LENGTH = 60;

/** A conversation's name: how its first question begins, on one line. */
export function sessionName(question: string): string {
  const words = visibleLine(question).replaceAll(/\s+/g, " ").trim();
  const characters = [...words];
  if (characters.length <= MAX_LENGTH) return words;
  const beginning = characters.slice(0, MAX_LENGTH - 1).join("");
  return `${beginning.trimEnd()}…`;
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

/** The question with a name for the session it begins, under which the session is found when nothing of it arrived. */
export function findable(question: SendMessageInput, { mark, isNamed }: Naming): SendMessageInput {
  const { chat_session_id: session, chat_session_info: info, message } = question;
  if (session != null || (info?.description != null && info.description !== "")) return question;
  const description = isNamed ? `${sessionName(message)} · ${mark}` : mark;
  return { ...question, chat_session_info: { ...info, description } };
}

/** A mark nobody else has; not a secret. */
export function newMark(): string {
  return Math.random().toString(36).slice(2, 10).padEnd(8, "0");
}
