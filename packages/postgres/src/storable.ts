// PostgreSQL refuses NUL in text, and half of a surrogate pair does not come back as it was.
// oxlint-disable-next-line no-control-regex -- the control character is the escape
const UNSTORABLE = /[\0\u0001]|\p{Cs}/gu;

/** A string as it can be kept, and is returned unchanged. `stored` undoes it. */
export function storable(text: string): string {
  return text.replace(UNSTORABLE, (unit) => `\u0001${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Undoes `storable`. */
export function stored(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the control character is the escape
  return text.replace(/\u0001([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}
