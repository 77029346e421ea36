import { Parser } from "htmlparser2";

/** Whether a page's header `X-Robots-Tag` asks this program, or all, not to take it. */
export function headerForbids(header: string | readonly string[] | undefined, product: string): boolean {
  const said = typeof header === "string" ? header : (header ?? []).join(",");
  return said.split(",").some((part) => {
    const [first = "", second] = part.split(":", 2).map((word) => word.trim().toLowerCase());
    if (second === undefined) return FORBIDDING.has(first);
    return (first === "*" || first === product) && FORBIDDING.has(second);
  });
}

const FORBIDDING = new Set(["noindex", "none"]);

/** Characters of a page among which such an element is looked for: it stands in the head. */
const MAX_CHARACTERS = 1_000_000;

/** Elements inside each other behind which nothing is looked for: the parser takes ever longer for each one more. */
const MAX_DEPTH = 512;

/** Whether a page of HTML asks it by `<meta name="robots">`, or by one with the program's name. */
export function pageForbids(bytes: Uint8Array, product: string): boolean {
  let forbids = false;
  let depth = 0;
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, MAX_CHARACTERS));
  const parser = new Parser({
    onclosetag: () => void (depth -= 1),
    onopentag: (name, { name: of = "", content = "" }) => {
      if ((depth += 1) > MAX_DEPTH) throw new TooDeepError();
      if (name !== "meta" || !["robots", product].includes(of.trim().toLowerCase())) return;
      forbids ||= content.split(",").some((directive) => FORBIDDING.has(directive.trim().toLowerCase()));
    },
  });
  try {
    parser.write(text);
    parser.end();
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
  }
  return forbids;
}

class TooDeepError extends Error {}

/** The words looked for are the same in every encoding but this. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
