/**
 * Parses JSON as servers write it. `NaN`, `Infinity` and `-Infinity`, which some encoders print bare and no JSON parser
 * accepts, become null; text inside strings stays as it is. Throws SyntaxError for anything else that is not JSON.
 */
export function parseWireJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!text.includes("NaN") && !text.includes("Infinity")) throw error;
    return JSON.parse(withoutBareNumbers(text));
  }
}

/** Walks string by string, each character once, so that a hostile text costs no more than its length. */
function withoutBareNumbers(text: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const outside = quote === -1 ? text.slice(at) : text.slice(at, quote);
    parts.push(outside.replaceAll(/-?\bInfinity\b|\bNaN\b/g, "null"));
    if (quote === -1) break;
    at = endOfString(text, quote);
    parts.push(text.slice(quote, at));
  }
  return parts.join("");
}

function endOfString(text: string, open: number): number {
  let at = open + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    at = quote + 1;
    if (backslashes % 2 === 0) return at;
  }
}

const BACKSLASH = 0x5c;

/** Whether a value is an object as JSON means it: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
