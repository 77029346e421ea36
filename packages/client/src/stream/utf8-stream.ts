const FIRST_BEYOND_ASCII = 0x80;

/**
 * Makes what decodes UTF-8 in pieces, each to the characters that are complete now. Byte order marks are kept. A chunk
 * between whole characters, which is nearly every chunk there is, is decoded for itself: engines take several times as
 * long to decode what they are told is a piece.
 */
export function utf8Decoder(): (bytes: Uint8Array) => string {
  const whole = new TextDecoder("utf-8", { ignoreBOM: true });
  const pieces = new TextDecoder("utf-8", { ignoreBOM: true });
  let between = true;
  return (bytes) => {
    const before = between;
    between = bytes.length === 0 ? before : (bytes[bytes.length - 1] ?? 0) < FIRST_BEYOND_ASCII;
    return before && between ? whole.decode(bytes) : pieces.decode(bytes, { stream: true });
  };
}
