import { Parser } from "htmlparser2";

/** Whether a page's header `X-Robots-Tag` asks this program, or all, not to take it. */
export function headerForbids(header: string | readonly string[] | undefined, product: string): boolean {
  const said = typeof header === "string" ? header : (header ?? []).join(",");
  return said.split(",").some((part) => {
    const [, agent, directive = ""] = /^\s*(?:([a-z_*-]+)\s*:)?\s*(.*?)\s*$/i.exec(part) ?? [];
    const isOurs = agent === undefined || agent === "*" || agent.toLowerCase() === product;
    return isOurs && isForbidding(directive);
  });
}

/** Characters of a page among which such an element is looked for: it stands in the head. */
const MAX_CHARACTERS = 1_000_000;

/** Whether a page of HTML asks it by `<meta name="robots">`, or by one with the program's name. */
export function pageForbids(bytes: Uint8Array, product: string): boolean {
  let forbids = false;
  const parser = new Parser({
    onopentag: (name, { name: of = "", content = "" }) => {
      if (name !== "meta" || !["robots", product].includes(of.trim().toLowerCase())) return;
      forbids ||= content.split(",").some((directive) => isForbidding(directive.trim()));
    },
  });
  parser.write(new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, MAX_CHARACTERS)));
  parser.end();
  return forbids;
}

const isForbidding = (directive: string): boolean => /^(?:noindex|none)$/i.test(directive);

/** The words looked for are the same in every encoding but this. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
