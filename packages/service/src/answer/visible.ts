/**
 * Removes what a reader cannot see but a model or a terminal can: control bytes, zero-width and bidirectional
 * controls, and the tag characters that spell hidden text (docs/threats.md, T34). Single joiners stay: scripts and
 * emoji need them. The Arabic signs among the format characters are visible, and stay too.
 */
export function stripFormatting(text: string): string {
  return text
    .replace(/(?![\n\r\t]|\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u08e2])[\p{Cc}\p{Cf}]/gu, "")
    .replace(/(?:\u200c|\u200d){2,}/gu, "");
}
