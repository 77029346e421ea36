const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g;

/**
 * Whether some object in a text of JSON has two members of one name. Parsers differ in which of them they take, so what one
 * reads and another has checked can be two things (RFC 7519, section 4, lets a reader refuse them). Names are compared as
 * they are meant: `"sub"` and `"s\u0075b"` are one. Text that is no JSON has none.
 */
export function hasDoubleNames(json: string): boolean {
  try {
    JSON.parse(json);
  } catch {
    return false;
  }
  /** Names so far of each object that is open; null for a list. */
  const open: (Set<string> | null)[] = [];
  let last = "";
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const names = open.at(-1);
      const name: unknown = JSON.parse(last);
      if (names?.has(String(name)) === true) return true;
      names?.add(String(name));
    } else if (token !== ",") last = token;
  }
  return false;
}
