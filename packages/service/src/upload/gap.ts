/** What of an uploaded file was not read: kept as a word, and said in the language of whoever reads it. */

/** Why, or how much of it. */
export type GapKind =
  /** Only its first characters were read: `one` of them. */
  | "cut"
  | "scanned"
  | "damaged"
  | "locked"
  /** It unfolds to more than reading it may take. */
  | "unfolds"
  | "empty"
  | "picture"
  /** Its first `one` pages hold no text, the `other` ones were not read. */
  | "blank-beginning"
  /** Only `one` of `other` pages were read. */
  | "beginning"
  /** `one` of `other` pages hold no text. */
  | "blank-pages"
  | "memory"
  | "slow"
  | "output"
  | "ended"
  | "crowded"
  | "full";

/** A kind, with its numbers where it has some: "scanned", "beginning 3 40". Text, since it is stored and sent as such. */
export type Gap = string;

/** A gap of so many. */
export function gapOf(kind: GapKind, one?: number, other = 0): Gap {
  return one === undefined ? kind : `${kind} ${one} ${other}`;
}

/** A gap in words. What an earlier version kept is a sentence already. */
export function gapSentence(gap: Gap, gaps: Readonly<Record<GapKind, (one: number, other: number) => string>>): string {
  const [, kind = "", one = "0", other = "0"] = /^([a-z-]+)(?: (\d+) (\d+))?$/.exec(gap) ?? [];
  return Object.hasOwn(gaps, kind) ? gaps[kind as GapKind](Number(one), Number(other)) : gap;
}
