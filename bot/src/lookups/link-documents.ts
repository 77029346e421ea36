import { wordsOfAddress } from "@threadlore/ask";
import type { BotContext } from "../context.ts";
import type { Decision } from "../rules/rules.ts";
import { type FoundDocument, plainAddress, searchDocuments } from "./documents.ts";
import { titleAt } from "./titles.ts";

/** Searches that the links of one message may cost together. */
const MAX_SEARCHES = 8;
/** For so long it is known what lies at a link, milliseconds: as long as the platform keeps what somebody searched for. */
const KNOWN_MS = 180_000;
/** Links that are known at a time; the oldest are forgotten. */
const MAX_KNOWN = 300;

/** With which key a link is looked up, and how its rules narrow that. */
export type LinkRights = Pick<Extract<Decision, { kind: "answer" }>, "key" | "settings">;

/** Looks up links, and knows for three minutes what it found. */
export interface LinkDocuments {
  /**
   * The documents at these links, by link; those that are not found with these rights are left out. A link is searched
   * for once in three minutes, also where nothing was found and however many ask at once; and all of them by at most eight
   * searches. Nothing is asked of a model: rejects with UnsupportedError where the server has no search of its own, and
   * with the client's errors.
   */
  at(links: readonly string[], rights: LinkRights, signal: AbortSignal): Promise<ReadonlyMap<string, FoundDocument>>;
}

/** A link that is looked for. */
interface Sought {
  readonly address: string;
  /** Under what it is known: what one key finds, narrowed by some rules, is nobody else's. */
  readonly name: string;
  /** What is still searched for. */
  readonly queries: string[];
}

type Bot = Pick<BotContext, "accounts" | "config" | "servers" | "serverWatch" | "store" | "now">;

/** Looks up links for one process. Nothing of it is kept but in memory. */
export function createLinkDocuments(bot: Bot): LinkDocuments {
  const known = new Map<string, { readonly at: number; readonly document: FoundDocument | undefined }>();
  const running = new Map<string, Promise<unknown>>();

  const isKnown = ({ name }: Sought): boolean => bot.now() - (known.get(name)?.at ?? -Infinity) < KNOWN_MS;
  const learn = ({ name }: Sought, document: FoundDocument | undefined): void => {
    known.delete(name);
    known.set(name, { at: bot.now(), document });
    for (const oldest of known.keys()) {
      if (known.size <= MAX_KNOWN) break;
      known.delete(oldest);
    }
  };

  /** What is found, by name. In turns, so that one link does not take the searches that the others need. */
  async function search(sought: readonly Sought[], { key, settings }: LinkRights, signal: AbortSignal) {
    const found = new Map<string, FoundDocument>();
    const open = [...sought];
    let left = MAX_SEARCHES;
    for (let link = open.shift(); link !== undefined; link = open.shift()) {
      const { address, name, queries } = link;
      const query = queries.shift();
      if (query === undefined) learn(link, undefined);
      // It was not looked for to the end, so that nothing is known of it.
      if (query === undefined || left === 0) continue;
      left -= 1;
      const documents = await searchDocuments(bot, { query, key, settings }, signal);
      const document = documents.find((one) => plainAddress(one.link) === address);
      if (document === undefined) open.push(link);
      else {
        learn(link, document);
        found.set(name, document);
      }
    }
    return found;
  }

  return {
    async at(links, rights, signal) {
      const addresses = new Map(links.flatMap((link) => pairOf(link)));
      const sought = await Promise.all(
        [...new Set(addresses.values())].map((address) => soughtAt(bot, address, rights)),
      );
      for (;;) {
        // What is known needs no waiting for the other links of whoever looks.
        const others = sought.flatMap((link) => (isKnown(link) ? [] : (running.get(link.name) ?? [])));
        if (others.length === 0) break;
        await inTime(signal, Promise.allSettled(others));
      }
      const unknown = sought.filter((link) => !isKnown(link));
      const before = new Map(
        sought.flatMap((link) =>
          unknown.includes(link) ? [] : [[link.name, known.get(link.name)?.document] as const],
        ),
      );
      const searched = search(unknown, rights, signal);
      for (const { name } of unknown) running.set(name, searched);
      const found = await searched.finally(() => {
        for (const { name } of unknown) running.delete(name);
      });
      const names = new Map(sought.map(({ address, name }) => [address, name]));
      return new Map(
        [...addresses].flatMap(([link, address]) => {
          const name = names.get(address) ?? "";
          const document = before.get(name) ?? found.get(name);
          return document === undefined ? [] : [[link, document] as const];
        }),
      );
    },
  };
}

function pairOf(link: string): readonly (readonly [string, string])[] {
  const address = plainAddress(link);
  return address === undefined ? [] : [[link, address]];
}

/**
 * What a link is searched for by. Every server finds a title; some find what is named by its address; the words in it say
 * least. A title that is learnt meanwhile makes it another search.
 */
async function soughtAt(bot: Bot, address: string, { key, settings }: LinkRights): Promise<Sought> {
  const title = (await titleAt(bot, address)) ?? "";
  const { document_sets: sets, sources, persona } = settings;
  const queries = new Set([title, address, wordsOfAddress(address)].filter((query) => query !== ""));
  return { address, name: JSON.stringify([key, sets, sources, persona, address, title]), queries: [...queries] };
}

/** What others look up is waited for no longer than one's own patience lasts. */
async function inTime(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  try {
    await Promise.race([work, ended.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
