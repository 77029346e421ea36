/**
 * The growing text of one message group, and its blocks.
 *
 * A draft is a value: appending makes a new one and leaves the old one as it was. Underneath, all drafts of one chain
 * share a tape that is only ever added to, each seeing its own length of it; so appending costs nothing that grows with
 * the text, and the markdown parser reads every piece once.
 */
import type { Markdown } from "../markdown/markdown.ts";
import { createMarkdown } from "../markdown/markdown.ts";
import type { Block } from "../markdown/tree.ts";

interface Tape {
  readonly markdown: Markdown;
  /** Characters that were added. */
  length: number;
  /** Characters the parser has read. */
  read: number;
  /** What it has not read, in the pieces that came. */
  unread: string[];
  /** No more may be added: the parser was told that the text is complete. */
  ended: boolean;
  /** Characters of the text when it was last made one piece of memory. */
  flat: number;
  /** Its last character then: kept, because a reading whose result nobody uses is left out by the engine. */
  last: number;
}

export interface Draft {
  readonly text: string;
  readonly tape: Tape;
}

const newTape = (text: string): Tape => ({
  markdown: createMarkdown(),
  length: text.length,
  read: 0,
  unread: [text],
  ended: false,
  flat: 0,
  last: 0,
});

export function emptyDraft(): Draft {
  return { text: "", tape: newTape("") };
}

export function append(draft: Draft, delta: string): Draft {
  const fork = draft.tape.ended || draft.tape.length !== draft.text.length;
  const tape = fork ? newTape(draft.text) : draft.tape;
  tape.unread.push(delta);
  tape.length += delta.length;
  return { text: draft.text + delta, tape };
}

/** The blocks of a draft; `complete` when nothing more will come, so that nothing is held back. */
export function draftBlocks({ text, tape }: Draft, complete: boolean): readonly Block[] {
  const isOlder = tape.read > text.length || (tape.ended && !complete) || (complete && tape.length !== text.length);
  if (isOlder) {
    // Asked for something older than the parser has read: parsed by itself, from the start.
    const markdown = createMarkdown();
    const blocks = markdown.push(text);
    return complete ? markdown.end() : blocks;
  }
  const unread = tape.unread.join("");
  const mine = text.length - tape.read;
  tape.unread = mine < unread.length ? [unread.slice(mine)] : [];
  tape.read = text.length;
  flatten(text, tape);
  if (!complete) return tape.markdown.push(unread.slice(0, mine));
  if (!tape.ended) tape.markdown.push(unread);
  tape.ended = true;
  return tape.markdown.end();
}

/**
 * A text that was added to piece by piece holds each piece, at many times its own size, until somebody reads a
 * character of it. Done as it grows by a part of itself, so that the whole costs nothing that grows faster than it.
 */
function flatten(text: string, tape: Tape): void {
  if (text.length < tape.flat * 1.1 + 256) return;
  tape.flat = text.length;
  tape.last = text.charCodeAt(text.length - 1);
}
