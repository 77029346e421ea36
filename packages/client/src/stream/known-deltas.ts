import type { JsonObject, PlacedPacket } from "../models.ts";
import { FRAME_END, LINE_END, type TextEnding } from "./framing.ts";

/**
 * Everything of a delta but its text. A stream repeats one delta thousands of times with nothing new but its text, so
 * what stands before and after the text is learnt from deltas that were parsed and found to be what the model demands;
 * where the same characters come again, only the text between them is read.
 */
export interface DeltaPattern {
  readonly type: string;
  /** The key that holds the text. */
  readonly field: string;
  /** From the opening brace to the quotation mark that opens the text. */
  readonly before: string;
  /** From the quotation mark that closes the text to the last brace, and the end of a line. */
  readonly lineEnd: string;
  /** The same with the end of a frame. */
  readonly frameEnd: string;
  readonly placement: PlacedPacket["placement"];
}

/** A delta that was read, and the index behind the ending of its text. */
export interface KnownDelta {
  readonly packet: PlacedPacket;
  readonly end: number;
}

/** Longest pattern, in characters; a placement is about a hundred. */
const MAX_PATTERN = 1_000;
/** Engines copy a slice this short; a longer one could keep the whole chunk it was cut from in memory. */
const COPIED_SLICE = 12;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/**
 * Reads the delta that begins at `from`, where it follows one of the patterns and `ending` stands behind it. Undefined
 * says nothing about what stands there: parse it. `maxLength`: characters of a packet; what is longer is left to whoever
 * refuses it.
 */
export function readKnownDelta(
  patterns: readonly DeltaPattern[],
  characters: string,
  from: number,
  ending: TextEnding,
  maxLength: number,
): KnownDelta | undefined {
  for (const pattern of patterns) {
    const start = from + pattern.before.length;
    if (characters.slice(from, start) !== pattern.before) continue;
    const close = closingQuote(characters, start);
    const after = ending === LINE_END ? pattern.lineEnd : pattern.frameEnd;
    const end = close + after.length;
    if (close === -1 || end - from > maxLength) return undefined;
    if (characters.slice(close, end) !== after) return undefined;
    const text = textBetween(characters, start, close);
    return text === undefined ? undefined : { packet: deltaOf(pattern, text), end };
  }
  return undefined;
}

/** Where a JSON string ends; -1 where it does not, or holds what no JSON string may. */
function closingQuote(characters: string, start: number): number {
  for (let at = start; at < characters.length; at++) {
    const code = characters.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code < FIRST_PRINTABLE) return -1;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

function textBetween(characters: string, start: number, close: number): string | undefined {
  if (close - start <= COPIED_SLICE) {
    const text = characters.slice(start, close);
    if (!text.includes("\\")) return text;
  }
  try {
    return JSON.parse(characters.slice(start - 1, close + 1)) as string;
  } catch {
    return undefined;
  }
}

/** The key is a name of the model's: a pattern is learnt from nothing else. */
function deltaOf({ type, field, placement }: DeltaPattern, text: string): PlacedPacket {
  return { placement: { ...placement }, obj: objectOf(type, field, text) as PlacedPacket["obj"] };
}

/** Engines make an object whose keys stand in the program several times as fast, so the two usual keys stand here. */
function objectOf(type: string, field: string, text: string): object {
  if (field === "content") return { type, content: text };
  return field === "reasoning" ? { type, reasoning: text } : { type, [field]: text };
}

/**
 * What of a packet comes again in packets that differ in their text only; undefined where that is not certain.
 * @param isPlaced whether a value is a placed packet as the model demands
 * @param value what `text` was parsed to
 */
export function patternOf(
  value: JsonObject,
  text: string,
  isPlaced: (value: unknown) => boolean,
): DeltaPattern | undefined {
  const delta = plainDelta(value, isPlaced);
  if (delta === undefined) return undefined;
  const { type, field, placement } = delta;
  const name = JSON.stringify(field);
  const opening = /\s*:\s*"/y;
  opening.lastIndex = text.lastIndexOf(name) + name.length;
  if (!opening.test(text)) return undefined;
  const before = text.slice(0, opening.lastIndex);
  const after = text.slice(text.lastIndexOf('"'));
  // A carriage return is a blank within a line and the end of one within an event.
  const isPlain = !/[\t\n\r]/.test(before + after);
  if (!isPlain || before.length + after.length > MAX_PATTERN) return undefined;
  // With two texts put between, both must come out as the text: then whatever is put there does.
  const isPattern = ["", "x"].every((probe) => {
    const probed = plainDelta(parsed(`${before}${probe}${after}`), isPlaced);
    return probed?.type === type && probed.field === field && probed.text === probe;
  });
  return isPattern
    ? { type, field, before, lineEnd: after + LINE_END, frameEnd: after + FRAME_END, placement }
    : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A packet of a placement and one text, with nothing in it that its copy would lack. */
function plainDelta(
  value: unknown,
  isPlaced: (value: unknown) => boolean,
): (Pick<DeltaPattern, "type" | "field" | "placement"> & { text: string }) | undefined {
  if (!isPlaced(value)) return undefined;
  const { placement, obj } = value as PlacedPacket;
  const [field = "", more] = Object.keys(obj).slice(1);
  const text: unknown = Reflect.get(obj, field);
  const isPlain =
    more === undefined &&
    typeof text === "string" &&
    Object.keys(obj)[0] === "type" &&
    obj.type.endsWith("_delta") &&
    Object.keys(value as PlacedPacket).join() === "placement,obj" &&
    Object.values(placement).every((member) => typeof member !== "object" || member === null);
  return isPlain ? { type: obj.type, field, placement, text } : undefined;
}
