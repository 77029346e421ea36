/**
 * The growing text of one message group, and its blocks.
 *
 * A draft is a value: appending makes a new one and leaves the old one as it was. Underneath, all drafts of one chain
 * share a tape that is only ever added to, each seeing its own length of it; so appending costs nothing that grows with
 * the text, and the markdown parser reads every piece once.
 */
import type { Markdown } from "./markdown.ts";
import { createMarkdown } from "./markdown.ts";
import type { Block } from "./tree.ts";

interface Tape {
  readonly pieces: string[];
  readonly markdown: Markdown;
  /** How many pieces the parser has read. */
  read: number;
  /** No more may be added: the parser was told that the text is complete. */
  ended: boolean;
}

export interface Draft {
  readonly text: string;
  readonly pieces: number;
  readonly tape: Tape;
}

const newTape = (pieces: string[]): Tape => ({ pieces, markdown: createMarkdown(), read: 0, ended: false });

export function emptyDraft(): Draft {
  return { text: "", pieces: 0, tape: newTape([]) };
}

export function append(draft: Draft, delta: string): Draft {
  const fork = draft.tape.ended || draft.tape.pieces.length !== draft.pieces;
  const tape = fork ? newTape(draft.tape.pieces.slice(0, draft.pieces)) : draft.tape;
  tape.pieces.push(delta);
  return { text: draft.text + delta, pieces: draft.pieces + 1, tape };
}

/** The blocks of a draft; `complete` when nothing more will come, so that nothing is held back. */
export function draftBlocks(draft: Draft, complete: boolean): readonly Block[] {
  const { tape } = draft;
  // Asked for something older than the parser has read: parsed by itself, from the start.
  if (tape.read > draft.pieces || (tape.ended && !complete)) {
    const markdown = createMarkdown();
    const blocks = markdown.push(draft.text);
    return complete ? markdown.end() : blocks;
  }
  if (complete && tape.pieces.length !== draft.pieces) {
    const markdown = createMarkdown();
    markdown.push(draft.text);
    return markdown.end();
  }
  const unread = tape.pieces.slice(tape.read, draft.pieces).join("");
  tape.read = draft.pieces;
  if (!complete) return tape.markdown.push(unread);
  if (!tape.ended) tape.markdown.push(unread);
  tape.ended = true;
  return tape.markdown.end();
}
