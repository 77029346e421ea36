/** What a site's robots.txt says to one program (RFC 9309). */
export interface Robots {
  /** Whether an address may be fetched, by its path and query. */
  allows(path: string): boolean;
  /** Pause between two requests it asks for (`Crawl-delay`), milliseconds; undefined: none. */
  readonly pauseMs?: number;
  /** Addresses of sitemaps, as they are written. */
  readonly sitemaps: readonly string[];
}

interface Group {
  readonly agents: string[];
  readonly rules: { readonly allow: boolean; readonly pattern: string }[];
  pauseMs?: number;
}

/** Characters that are read; RFC 9309 asks for at least so many, and what is behind them means nothing to anybody. */
const MAX_CHARACTERS = 512_000;
const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Reads a robots.txt. Patterns are matched without regular expressions, which a site could make slow. Groups
 * of one name count as one; those of all (`*`) only where none names the program. Never throws: lines that mean nothing are passed over.
 * @param product the program's name, without version
 */
export function parseRobots(text: string, product: string): Robots {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let inAgents = false;
  for (const line of text
    .slice(0, MAX_CHARACTERS)
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)) {
    const [, key = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const said = value.trim();
    const field = key.toLowerCase();
    const group = groups.at(-1);
    if (field === "sitemap") {
      // A `#` in an address is no comment to whoever wrote it, and leads to the same file.
      if (said !== "") sitemaps.push(said);
      continue;
    }
    if (field === "user-agent") {
      const agent = (/^[a-z_-]+|^\*/i.exec(said)?.[0] ?? "").toLowerCase();
      if (inAgents) group?.agents.push(agent);
      else groups.push({ agents: [agent], rules: [] });
      inAgents = true;
      continue;
    }
    if (group === undefined || !["allow", "disallow", "crawl-delay"].includes(field)) continue;
    inAgents = false;
    if (field === "crawl-delay") {
      if (SECONDS.test(said)) group.pauseMs = Number(said) * 1_000;
    } else if (said !== "") group.rules.push({ allow: field === "allow", pattern: comparable(said) });
  }
  const named = groups.filter(({ agents }) => agents.includes(product.toLowerCase()));
  const held = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes("*"));
  // The longest first, and of two of one length the one that allows.
  const rules = held
    .flatMap((group) => group.rules)
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow));
  return {
    allows: (path) => {
      const said = comparable(path);
      return rules.find(({ pattern }) => matches(pattern, said))?.allow ?? true;
    },
    pauseMs: held.find((group) => group.pauseMs !== undefined)?.pauseMs,
    sitemaps,
  };
}

/**
 * A path in the one spelling in which it is compared: what can be written plainly is, everything else is percent-encoded
 * in capitals. `/%7Ea/文` and `/~a/%e6%96%87` are one.
 */
export function comparable(path: string): string {
  return path
    .toWellFormed()
    .replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (escaped) => {
      const plain = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      return /[\w.~-]/.test(plain) ? plain : escaped.toUpperCase();
    });
}

/** `*` is anything, `$` at the end the end. No regular expression: a pattern is somebody else's. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return !isWhole || path.length === first.length;
  let at = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return isWhole ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at);
}
