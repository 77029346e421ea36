import { count, SlackError, text } from "./method.ts";
import type { Arguments } from "../fields.ts";

/** One page of a list, and where the next begins. */
export interface PageOf<Entry> {
  readonly entries: readonly Entry[];
  readonly response_metadata: { readonly next_cursor: string };
}

/** The page that `cursor` and `limit` ask for. Throws `invalid_cursor`, `invalid_limit`. */
export function pageOf<Entry>(all: readonly Entry[], args: Arguments, usual: number, most: number): PageOf<Entry> {
  const limit = count(args, "limit") ?? usual;
  if (limit < 1 || limit > most) throw new SlackError("invalid_limit");
  const cursor = text(args, "cursor");
  const start = cursor === undefined ? 0 : startOf(cursor);
  const end = start + limit;
  const next_cursor = end < all.length ? Buffer.from(`next:${end}`).toString("base64") : "";
  return { entries: all.slice(start, end), response_metadata: { next_cursor } };
}

function startOf(cursor: string): number {
  const [, start] = /^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString("utf8")) ?? [];
  if (start === undefined) throw new SlackError("invalid_cursor");
  return Number(start);
}
