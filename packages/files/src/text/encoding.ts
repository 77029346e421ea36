import { holds } from "./bytes.ts";
import { likeliestEncoding } from "./encoding-guess.ts";

/** A text and how its bytes were read. */
export interface DecodedText {
  readonly text: string;
  /** Label of the encoding: `utf-8`, `utf-16le`, `shift_jis`, … or what the file declares. */
  readonly encoding: string;
  /** The bytes did not say: a byte-order mark, a declaration or being valid UTF-8 would have. */
  readonly guessed: boolean;
  /** There is more of it than was asked for. */
  readonly cut: boolean;
}

/**
 * Reads bytes as text: by byte-order mark, as UTF-16 when every other byte is zero, by the shifts of ISO-2022-JP, as UTF-8
 * when it is valid, by the declaration of an HTML or XML file, as UTF-8 with little wrong, and at last in the older
 * encoding in which it reads like a language. Undefined: the bytes are no text, or none that anybody could read.
 * @param characters that are wanted at most; what follows has to be text too, and is not kept in memory
 */
export function decodeText(bytes: Uint8Array, characters = Infinity): DecodedText | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return { ...decoded(bytes, utf16, characters), guessed: false };
  if (looksBinary(bytes)) return undefined;
  const declared = [
    JAPANESE_SHIFTS.some((shift) => holds(bytes, shift)) ? "iso-2022-jp" : undefined,
    "utf-8",
    declaredEncoding(bytes),
  ];
  for (const label of declared) {
    const text = label === undefined ? undefined : strictly(bytes, label, characters);
    if (text !== undefined) return { ...text, guessed: false };
  }
  const mended = decoded(bytes, "utf-8", characters);
  if (isNearlyUtf8(mended.text)) return { ...mended, guessed: true };
  const encoding = likeliestEncoding(bytes);
  return encoding === undefined ? undefined : { ...decoded(bytes, encoding, characters), guessed: true };
}

type Decoded = Omit<DecodedText, "guessed">;

/** The bytes in one encoding. Throws where `fatal` and they are not in it, and for an encoding nobody knows. */
function decoded(bytes: Uint8Array, encoding: string, characters: number, fatal = false): Decoded {
  const decoder = new TextDecoder(encoding, { fatal });
  // No encoding has more characters than bytes.
  if (bytes.length <= characters) return { text: decoder.decode(bytes), encoding, cut: false };
  return { ...beginning(bytes, decoder, characters), encoding };
}

function strictly(bytes: Uint8Array, encoding: string, characters: number): Decoded | undefined {
  try {
    return decoded(bytes, encoding, characters, true);
  } catch {
    return undefined;
  }
}

/** What is decoded at one time, bytes. */
const STEP = 1_000_000;

/** All of it is decoded, and no more kept than is wanted. */
function beginning(
  bytes: Uint8Array,
  decoder: InstanceType<typeof TextDecoder>,
  characters: number,
): { text: string; cut: boolean } {
  const texts: string[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length; at += STEP) {
    const text = decoder.decode(bytes.subarray(at, at + STEP), { stream: at + STEP < bytes.length });
    if (length < characters) texts.push(text);
    length += text.length;
  }
  return { text: texts.join("").slice(0, characters), cut: length > characters };
}

/** The escapes before Japanese characters in ISO-2022-JP, which is ASCII to the byte and mail of twenty years. */
const JAPANESE_SHIFTS = ["\u001b$@", "\u001b$B"];

/** Ten good characters beyond ASCII for each bad one: a file cut or joined in the middle of a character. */
function isNearlyUtf8(mended: string): boolean {
  let bad = 0;
  let good = 0;
  for (let at = 0; at < mended.length; at++) {
    const code = mended.charCodeAt(at);
    if (code === 0xfffd) bad++;
    else if (code > 0x7f) good++;
  }
  return good >= 10 * bad;
}

/** Bytes at which a kind of file is told; enough for any head, little enough to cost nothing. */
const SAMPLE = 4096;

function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.length < 8) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length * 0.3 && even === 0) return "utf-16le";
  return even > sample.length * 0.3 && odd === 0 ? "utf-16be" : undefined;
}

/** A zero byte, or more than one control character in fifty, is in no text. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const sample = bytes.subarray(0, SAMPLE);
  const controls = sample.reduce((count, byte) => (byte < 0x20 && !isTextControl(byte) ? count + 1 : count), 0);
  return controls > sample.length / 50;
}

/** Bell to carriage return, with tab and newline between them, and the escape of coloured logs. */
const isTextControl = (byte: number): boolean => (byte >= 0x07 && byte <= 0x0d) || byte === 0x1b;

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, SAMPLE));
  return /<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})|<\?xml[^>]{0,200}encoding\s{0,9}=\s{0,9}["']([\w-]{1,40})/i
    .exec(head)
    ?.slice(1)
    .find((label) => label !== undefined);
}
