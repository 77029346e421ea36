/** Who is told what an RTF file is made of, in its order. */
export interface RtfHandler {
  open(): void;
  close(): void;
  /** `\par`, `\u8364`; `*` for `\*`. @param number undefined: it has none */
  control(word: string, number: number | undefined): void;
  /** A byte of text, as it stands there or as `\'e9`. */
  byte(byte: number): void;
  /** Nothing more is wanted. */
  readonly done: boolean;
}

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x27;
/** Letters of a control word, and digits of its number. */
const MAX_WORD = 32;
const MAX_DIGITS = 10;

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Takes RTF apart. Linear. */
export function readRtf(bytes: Uint8Array, handler: RtfHandler): void {
  let at = 0;
  while (at < bytes.length && !handler.done) {
    const byte = bytes[at] ?? 0;
    if (byte === OPEN) handler.open();
    else if (byte === CLOSE) handler.close();
    else if (byte === BACKSLASH) {
      at = readControl(bytes, at + 1, handler);
      continue;
    } else if (byte !== 0x0a && byte !== 0x0d && byte !== 0) handler.byte(byte);
    at++;
  }
}

/** @returns where what follows begins */
function readControl(bytes: Uint8Array, start: number, handler: RtfHandler): number {
  const first = bytes[start];
  if (first === undefined) return start;
  if (!isLetter(first)) return readSign(bytes, start, first, handler);
  let at = start;
  while (isLetter(bytes[at]) && at - start < MAX_WORD) at++;
  const word = textAt(bytes, start, at);
  const digits = bytes[at] === 0x2d ? at + 1 : at;
  let end = digits;
  while (isDigit(bytes[end]) && end - digits < MAX_DIGITS) end++;
  const number = end === digits ? undefined : Number(textAt(bytes, at, end));
  if (end === digits) end = at;
  if (bytes[end] === 0x20) end++;
  if (word !== "bin") handler.control(word, number);
  // So many bytes follow that are anything.
  return word === "bin" ? end + Math.max(0, number ?? 0) : end;
}

function readSign(bytes: Uint8Array, at: number, sign: number, handler: RtfHandler): number {
  if (sign === QUOTE) {
    const code = Number.parseInt(textAt(bytes, at + 1, at + 3), 16);
    if (!Number.isNaN(code)) handler.byte(code);
    return at + 3;
  }
  if (sign === BACKSLASH || sign === OPEN || sign === CLOSE) handler.byte(sign);
  else if (sign === 0x0a || sign === 0x0d) handler.control("par", undefined);
  else handler.control(String.fromCharCode(sign), undefined);
  return at + 1;
}

const textAt = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));
