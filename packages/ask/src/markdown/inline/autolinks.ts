/** Addresses in angle brackets (CommonMark 0.31 section 6.5). */
import type { Link } from "../tree.ts";

/** A longer address in angle brackets is none, whether it came at once or in pieces. */
const SCHEME = /(?=[^\s<>]{1,2048}>)[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>/y;
const EMAIL =
  /(?=[^\s<>]{1,2048}>)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*>/y;
const UNFINISHED = /[^\s<>]{0,2048}$/y;

/** The address whose opening bracket stands at `at`; `"unfinished"` where more text may make one of it. */
export function autolinkAt(
  text: string,
  at: number,
): { readonly node: Link; readonly end: number } | "unfinished" | undefined {
  const start = at + 1;
  for (const [pattern, prefix] of [
    [SCHEME, ""],
    [EMAIL, "mailto:"],
  ] as const) {
    pattern.lastIndex = start;
    const found = pattern.exec(text)?.[0].slice(0, -1);
    if (found === undefined) continue;
    const node: Link = { type: "link", url: prefix + found, children: [{ type: "text", text: found }] };
    return { node, end: start + found.length + 1 };
  }
  UNFINISHED.lastIndex = start;
  return UNFINISHED.test(text) ? "unfinished" : undefined;
}
