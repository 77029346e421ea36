import { FRAME_END, LINE_END, type TextEnding } from "./framing.ts";
import { isHotPacket } from "./hot-packets.ts";
import type { JsonObject, PlacedPacket } from "../models.ts";

/**
 * Reads deltas without parsing them whole. A stream repeats one delta thousands of times with nothing new but its text,
 * so what stands before and after the text is learnt from deltas that were parsed and checked; where the same characters
 * come again, only the text between them is read.
 */
export interface KnownDeltas {
  /** Learns from a packet and the JSON text it was parsed from, where that is a delta. */
  learn(value: JsonObject, text: string): void;
  /**
   * Reads the delta that begins at `from`, if its like is known and `ending` stands behind it. `end` then says where the
   * ending ends. Undefined says nothing about what stands there: parse it.
   */
  read(characters: string, from: number, ending: TextEnding): PlacedPacket | undefined;
  /** Behind the ending of the delta read last. */
  readonly end: number;
}

type DeltaType = "message_delta" | "reasoning_delta";

/** Everything of a delta but its text. */
interface Pattern {
  readonly type: DeltaType;
  /** From the opening brace to the quotation mark that opens the text. */
  readonly before: string;
  /** From the quotation mark that closes the text to the last brace, and the end of a line. */
  readonly lineEnd: string;
  /** The same with the end of a frame. */
  readonly frameEnd: string;
  readonly placement: PlacedPacket["placement"];
}

/** Models answer side by side, each in its place and with its thoughts. */
const MOST_PATTERNS = 8;
/** A stream that changes its deltas more often than this has nothing to gain, and each lesson costs two parses. */
const MOST_LESSONS = 100;
/** Characters; a placement is about a hundred. */
const LONGEST_PATTERN = 1_000;
/** Engines copy a slice this short; a longer one could keep the whole chunk it was cut from in memory. */
const COPIED_SLICE = 12;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** `maxLength`: characters of a packet; what is longer is left to whoever refuses it. */
export function createKnownDeltas(maxLength: number): KnownDeltas {
  const patterns: Pattern[] = [];
  let lessons = 0;
  let end = 0;

  function read(characters: string, from: number, ending: TextEnding): PlacedPacket | undefined {
    for (const pattern of patterns) {
      const start = from + pattern.before.length;
      if (characters.slice(from, start) !== pattern.before) continue;
      const close = closingQuote(characters, start);
      const after = ending === LINE_END ? pattern.lineEnd : pattern.frameEnd;
      end = close + after.length;
      if (close === -1 || end - from > maxLength) return undefined;
      if (characters.slice(close, end) !== after) return undefined;
      const text = textBetween(characters, start, close);
      return text === undefined ? undefined : deltaOf(pattern, text);
    }
    return undefined;
  }

  return {
    read,
    learn(value, text) {
      if (lessons >= MOST_LESSONS) return;
      const pattern = patternOf(value, text);
      if (pattern === undefined) return;
      lessons++;
      patterns.unshift(pattern);
      patterns.length = Math.min(patterns.length, MOST_PATTERNS);
    },
    get end() {
      return end;
    },
  };
}

let escaped = false;

/** Where a JSON string ends; -1 where it does not, or holds what no JSON string may. `escaped` says if it has escapes. */
function closingQuote(characters: string, start: number): number {
  escaped = false;
  for (let at = start; at < characters.length; at++) {
    const code = characters.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code < FIRST_PRINTABLE) return -1;
    if (code === BACKSLASH) {
      escaped = true;
      at++;
    }
  }
  return -1;
}

function textBetween(characters: string, start: number, close: number): string | undefined {
  if (!escaped && close - start <= COPIED_SLICE) return characters.slice(start, close);
  try {
    return JSON.parse(characters.slice(start - 1, close + 1)) as string;
  } catch {
    return undefined;
  }
}

function deltaOf({ type, placement }: Pattern, text: string): PlacedPacket {
  const obj = type === "message_delta" ? { type, content: text } : { type, reasoning: text };
  return { placement: { ...placement }, obj };
}

/** What of this packet comes again in packets that differ in their text only; undefined where that is not certain. */
function patternOf(value: JsonObject, text: string): Pattern | undefined {
  if (!isPlainDelta(value)) return undefined;
  const { type } = value.obj;
  const name = type === "message_delta" ? '"content"' : '"reasoning"';
  const opening = /\s*:\s*"/y;
  opening.lastIndex = text.lastIndexOf(name) + name.length;
  if (!opening.test(text)) return undefined;
  const before = text.slice(0, opening.lastIndex);
  const after = text.slice(text.lastIndexOf('"'));
  // A carriage return is a blank within a line and the end of one within an event.
  const isPlain = !/[\t\n\r]/.test(before + after);
  if (!isPlain || before.length + after.length > LONGEST_PATTERN) return undefined;
  // With two texts put between, both must come out as the text: then whatever is put there does.
  const isPattern = ["", "x"].every((probe) => textOf(`${before}${probe}${after}`, type) === probe);
  return isPattern
    ? { type, before, lineEnd: after + LINE_END, frameEnd: after + FRAME_END, placement: value.placement }
    : undefined;
}

function textOf(json: string, type: DeltaType): string | undefined {
  try {
    const value: JsonObject = JSON.parse(json);
    if (!isPlainDelta(value) || value.obj.type !== type) return undefined;
    return value.obj.type === "message_delta" ? value.obj.content : value.obj.reasoning;
  } catch {
    return undefined;
  }
}

type Delta = PlacedPacket & { obj: { type: DeltaType } };

/** A delta with nothing in it that its copy would lack. */
function isPlainDelta(value: JsonObject): value is JsonObject & Delta {
  if (!isHotPacket(value)) return false;
  const { obj, placement } = value;
  if (obj.type !== "message_delta" && obj.type !== "reasoning_delta") return false;
  const keys = obj.type === "message_delta" ? "type,content" : "type,reasoning";
  return (
    Object.keys(obj).join() === keys &&
    Object.keys(value).join() === "placement,obj" &&
    Object.values(placement).every((member) => typeof member !== "object" || member === null)
  );
}
