/** Bytes as the network cut them, to characters. */
export interface Utf8Stream {
  /** The characters that are complete now. What of one is missing is waited for. */
  decode(bytes: Uint8Array): string;
}

const FIRST_BEYOND_ASCII = 0x80;

/**
 * Decodes UTF-8 in pieces. Byte order marks are kept. A chunk between whole characters, which is nearly every chunk there
 * is, is decoded for itself: engines take several times as long to decode what they are told is a piece.
 */
export function createUtf8Stream(): Utf8Stream {
  const whole = new TextDecoder("utf-8", { ignoreBOM: true });
  const pieces = new TextDecoder("utf-8", { ignoreBOM: true });
  let between = true;
  return {
    decode(bytes) {
      const before = between;
      between = bytes.length === 0 ? before : (bytes[bytes.length - 1] ?? 0) < FIRST_BEYOND_ASCII;
      return before && between ? whole.decode(bytes) : pieces.decode(bytes, { stream: true });
    },
  };
}
