/**
 * The growing text of one message group, and its blocks.
 *
 * A draft is a value: appending makes a new one and leaves the old one as it was. Underneath, all drafts of one chain
 * share a text that is only ever added to, each seeing its own length of it; so appending costs nothing that grows with
 * the text, and the markdown parser reads every piece once.
 */
import { createMarkdown, type Markdown } from "../markdown/markdown.ts";
import type { Block } from "../markdown/tree.ts";

interface SharedText {
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
  readonly shared: SharedText;
}

const newShared = (text: string): SharedText => ({
  markdown: createMarkdown(),
  length: text.length,
  read: 0,
  unread: [text],
  ended: false,
  flat: 0,
  last: 0,
});

export function emptyDraft(): Draft {
  return { text: "", shared: newShared("") };
}

export function append(draft: Draft, delta: string): Draft {
  const fork = draft.shared.ended || draft.shared.length !== draft.text.length;
  const shared = fork ? newShared(draft.text) : draft.shared;
  shared.unread.push(delta);
  shared.length += delta.length;
  return { text: draft.text + delta, shared };
}

/** The blocks of a draft; `complete` when nothing more will come, so that nothing is held back. */
export function draftBlocks({ text, shared }: Draft, complete: boolean): readonly Block[] {
  const isOlder =
    shared.read > text.length || (shared.ended && !complete) || (complete && shared.length !== text.length);
  if (isOlder) {
    // Asked for something older than the parser has read: parsed by itself, from the start.
    const markdown = createMarkdown();
    const blocks = markdown.push(text);
    return complete ? markdown.end() : blocks;
  }
  const unread = shared.unread.join("");
  const mine = text.length - shared.read;
  shared.unread = mine < unread.length ? [unread.slice(mine)] : [];
  shared.read = text.length;
  flatten(text, shared);
  if (!complete) return shared.markdown.push(unread.slice(0, mine));
  if (!shared.ended) shared.markdown.push(unread);
  shared.ended = true;
  return shared.markdown.end();
}

/**
 * A text that was added to piece by piece holds each piece, at many times its own size, until somebody reads a
 * character of it. Done as it grows by a part of itself, so that the whole costs nothing that grows faster than it.
 */
function flatten(text: string, shared: SharedText): void {
  if (text.length < shared.flat * 1.1 + 256) return;
  shared.flat = text.length;
  shared.last = text.charCodeAt(text.length - 1);
}
