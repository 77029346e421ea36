import { createHash } from "node:crypto";
import { findPassages, type FoundPiece } from "@threadlore/ask";
import type { BotContext } from "../context.ts";
import { isOwn, type QuestionKey } from "../accounts/question-key.ts";
import type { Settings } from "../rules/settings.ts";

/** A document the knowledge server found for one key. */
export interface FoundDocument {
  /** Stays the same for one address. */
  readonly id: string;
  readonly title: string;
  /** Where it lies; http or https. */
  readonly link: string;
  /** What was found of it, best first; may be empty. */
  readonly passages: readonly string[];
  /** ISO 8601. */
  readonly updatedAt?: string | undefined;
}

/** What is looked for, and with whose rights. */
export interface LookUp {
  readonly query: string;
  readonly key: QuestionKey;
  /** Who looks, where that is one person. */
  readonly user?: string | undefined;
  readonly settings: Pick<Settings, "document_sets" | "sources" | "persona">;
}

type Bot = Pick<BotContext, "accounts" | "config" | "servers" | "serverWatch">;

/**
 * Documents for a query that can be opened, best first: from the server's search, or where it has none, those an answer
 * to it is made from. Throws the client's errors, and NothingSearchedError.
 */
export function findDocuments(bot: Bot, lookUp: LookUp, signal: AbortSignal): Promise<FoundDocument[]> {
  return found(bot, lookUp, { signal });
}

/** The same from the server's search alone. Throws UnsupportedError where it has none, and the client's errors. */
export function searchDocuments(bot: Bot, lookUp: LookUp, signal: AbortSignal): Promise<FoundDocument[]> {
  return found(bot, lookUp, { signal, isAsked: false });
}

async function found(
  bot: Bot,
  { query, key, user = "", settings }: LookUp,
  options: { signal: AbortSignal; isAsked?: boolean },
): Promise<FoundDocument[]> {
  const { keys } = bot.config;
  if (isOwn(key)) await bot.accounts.admit(key, user);
  else await bot.serverWatch.admit((key === "dm" ? keys.dm : undefined) ?? keys.channel);
  const { document_sets: documentSets, sources, persona } = settings;
  const origin = bot.config.server.profile.botOrigin;
  const wish = { query, documentSets, sources, persona, origin, isLiteral: true };
  return together(
    (await findPassages(isOwn(key) ? await bot.accounts.server(key, user) : bot.servers[key], wish, options)).pieces,
  );
}

/** One entry per document; those nobody can open are left out. */
function together(pieces: readonly FoundPiece[]): FoundDocument[] {
  const documents = new Map<string, FoundDocument>();
  for (const { link, title, text, updatedAt } of pieces) {
    const address = link === undefined ? undefined : plainAddress(link);
    if (link === undefined || address === undefined) continue;
    const before = documents.get(address);
    documents.set(address, {
      id: before?.id ?? idOf(address),
      title: before?.title || title || address,
      link: before?.link ?? link,
      passages: [...new Set([...(before?.passages ?? []), ...(text === "" ? [] : [text])])],
      updatedAt: before?.updatedAt ?? updatedAt,
    });
  }
  return [...documents.values()];
}

/** An address of the web without the place in its page, so that two ways to write one are the same; undefined: none. */
export function plainAddress(link: string): string | undefined {
  const url = URL.parse(link);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  url.pathname = url.pathname.replace(/\/+$/, "") || "/";
  return url.href;
}

/** What an address is known by where only a short name has room. */
export function idOf(address: string): string {
  return createHash("sha256").update(address).digest("hex").slice(0, 32);
}
