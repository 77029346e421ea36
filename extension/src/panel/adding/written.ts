/**
 * What is being written of pages and not done yet. It outlives the form: a list that is drawn anew, or another form that is
 * opened, takes nothing away that was typed. Held by this panel alone.
 */
import { type Signal, signal } from "@preact/signals";
import { type KeptAdditions, NO_ADDITIONS } from "../../keep/additions.ts";

/** What is written of one page. */
export interface Unfinished {
  /** What stood there when it was begun; undefined: nothing is known of it yet. */
  since: KeptAdditions | undefined;
  readonly title: Signal<string>;
  readonly tags: Signal<readonly string[]>;
  /** Of the next tag. */
  readonly tag: Signal<string>;
  readonly note: Signal<string>;
  /** Highlights that are to go, by their texts. */
  readonly dropped: Signal<ReadonlySet<string>>;
}

const unfinished = new Map<string, Unfinished>();

/** What is written of a page, as it was left, or begun with what was added to it before. */
export function writtenOf(key: string, title: string, since: KeptAdditions | undefined): Unfinished {
  const before = unfinished.get(key);
  if (before !== undefined) return before;
  const { tags, note = "", title: own } = since ?? NO_ADDITIONS;
  const written: Unfinished = {
    since,
    title: signal(own ?? title),
    tags: signal(tags),
    tag: signal(""),
    note: signal(note),
    dropped: signal(new Set<string>()),
  };
  unfinished.set(key, written);
  return written;
}

/** It was taken, or is not wanted any more. */
export function forgetWritten(key: string): void {
  unfinished.delete(key);
}
