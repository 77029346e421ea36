/**
 * Emphasis, strong emphasis and strikethrough (CommonMark 0.31 section 6.2, GitHub's section 6.5): runs of `*`, `_` and
 * `~` are matched from left to right, each closing run with the nearest opening one.
 */
import type { Emphasis, Inline } from "../tree.ts";

/** A run of delimiters that may open or close. */
export interface Delimiter {
  readonly character: string;
  /** As written; how many are left while matching is kept apart. */
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Position in the source. */
  readonly at: number;
}

/** Inline nodes with the runs between them not matched yet. `at`: where the node's source begins. */
export type InlineToken = { readonly node: Inline; readonly at: number } | { readonly delimiter: Delimiter };

/** The matched nodes, and what the caller has to know of the runs. */
export interface Matched {
  readonly nodes: Inline[];
  /** Source ranges of matched pairs, closing runs included. */
  readonly spans: (readonly [number, number])[];
  /** Positions of runs that found no partner and could still be closed by later text. */
  readonly open: number[];
}

/** An opening run, with what has been read since. */
interface Frame {
  readonly id: number;
  readonly delimiter: Delimiter | undefined;
  left: number;
  nodes: Inline[];
}

export function matchEmphasis(tokens: readonly InlineToken[]): Matched {
  const frames: Frame[] = [{ id: 0, delimiter: undefined, left: 0, nodes: [] }];
  const spans: [number, number][] = [];
  // Kind of closer -> id of the newest frame known to hold no partner for it, so that no frame is asked twice.
  const searched = new Map<string, number>();
  let nextId = 1;
  for (const token of tokens) {
    if ("node" in token) {
      addNode(top(frames).nodes, token.node);
      continue;
    }
    const { delimiter } = token;
    let left = delimiter.length;
    while (left > 0 && delimiter.canClose) {
      const opener = findOpener(frames, delimiter, left, searched);
      if (opener < 0) break;
      left -= wrap(frames, opener, delimiter, left, spans);
    }
    if (left === 0) continue;
    if (delimiter.canOpen) frames.push({ id: nextId++, delimiter, left, nodes: [] });
    else addNode(top(frames).nodes, literal(delimiter, left));
  }
  const open = frames.flatMap((frame) => (frame.delimiter === undefined ? [] : [frame.delimiter.at]));
  return { nodes: flatten(frames, 0).nodes, spans, open };
}

function top(frames: Frame[]): Frame {
  const frame = frames.at(-1);
  if (frame === undefined) throw new RangeError("emphasis: the bottom frame is never taken away");
  return frame;
}

/** Index of the nearest frame whose run this one closes; -1 when there is none. */
function findOpener(frames: Frame[], closer: Delimiter, left: number, searched: Map<string, number>): number {
  const kind = `${closer.character}${closer.canOpen}${closer.character === "~" ? left : closer.length % 3}`;
  const bottom = searched.get(kind) ?? 0;
  for (let index = frames.length - 1; index > 0; index -= 1) {
    const frame = frames[index];
    if (frame?.delimiter === undefined || frame.id <= bottom) break;
    if (matches(frame.delimiter, frame.left, closer, left)) return index;
  }
  searched.set(kind, top(frames).id);
  return -1;
}

function matches(opener: Delimiter, openLeft: number, closer: Delimiter, closeLeft: number): boolean {
  if (opener.character !== closer.character) return false;
  if (opener.character === "~") return openLeft === closeLeft;
  const eitherWay = opener.canClose || closer.canOpen;
  return !eitherWay || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0;
}

/** Wraps what stands between the opener and the end; says how many delimiters of the closing run that took. */
function wrap(frames: Frame[], index: number, closer: Delimiter, closeLeft: number, spans: [number, number][]): number {
  const frame = flatten(frames, index);
  const strike = closer.character === "~";
  const taken = strike ? closeLeft : frame.left >= 2 && closeLeft >= 2 ? 2 : 1;
  const type: Emphasis["type"] = strike ? "strike" : taken === 2 ? "strong" : "emphasis";
  const node: Inline = { type, children: frame.nodes };
  spans.push([frame.delimiter?.at ?? 0, closer.at + closer.length]);
  frame.left -= taken;
  if (frame.left > 0) {
    frame.nodes = [node];
  } else {
    frames.pop();
    addNode(top(frames).nodes, node);
  }
  return taken;
}

/** Gives up on the runs above a frame: they and what follows them become part of it. */
function flatten(frames: Frame[], index: number): Frame {
  const kept = frames[index] ?? top(frames);
  for (const frame of frames.splice(index + 1)) {
    if (frame.delimiter !== undefined) addNode(kept.nodes, literal(frame.delimiter, frame.left));
    for (const node of frame.nodes) addNode(kept.nodes, node);
  }
  return kept;
}

function literal(delimiter: Delimiter, left: number): Inline {
  return { type: "text", text: delimiter.character.repeat(left) };
}

/** Adds a node; neighbouring texts become one. */
export function addNode(nodes: Inline[], node: Inline): void {
  const last = nodes.at(-1);
  if (node.type === "text" && last?.type === "text")
    nodes[nodes.length - 1] = { type: "text", text: last.text + node.text };
  else nodes.push(node);
}

// Unicode punctuation and symbols count alike since CommonMark 0.31.
const PUNCTUATION = /[\p{P}\p{S}]/u;
const SPACE = /\s/u;

/** The run of delimiters at a position, with what its neighbours let it do. */
export function delimiterAt(text: string, at: number): Delimiter {
  const character = text[at] ?? "";
  let end = at + 1;
  while (text[end] === character) end += 1;
  const before = codePointBefore(text, at);
  const after = end < text.length ? String.fromCodePoint(text.codePointAt(end) ?? 0x20) : " ";
  const [spaceBefore, spaceAfter] = [SPACE.test(before), SPACE.test(after)];
  const [markBefore, markAfter] = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
  const left = !spaceAfter && (!markAfter || spaceBefore || markBefore);
  const right = !spaceBefore && (!markBefore || spaceAfter || markAfter);
  const length = end - at;
  const base = { character, length, at };
  if (character === "_")
    return { ...base, canOpen: left && (!right || markBefore), canClose: right && (!left || markAfter) };
  if (character === "~" && length > 2) return { ...base, canOpen: false, canClose: false };
  return { ...base, canOpen: left, canClose: right };
}

function codePointBefore(text: string, at: number): string {
  if (at === 0) return " ";
  const low = text.charCodeAt(at - 1);
  const pair = low >= 0xdc00 && low <= 0xdfff && at > 1;
  return String.fromCodePoint(text.codePointAt(at - (pair ? 2 : 1)) ?? 0x20);
}
