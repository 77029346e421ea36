import { randomUUID } from "node:crypto";
import { AuthError } from "@threadlore/client";
import type { AccountRecord, Store } from "@threadlore/inbox";
import * as z from "zod";
import type { Config } from "../settings/config.ts";
import { connectionIn, type OwnKey } from "./question-key.ts";
import { createSealer } from "./sealing.ts";

/** What is kept of a connected account beside its sealed key. */
const Facts = z.object({
  /** What the server calls the account: its e-mail address, else its id. */
  name: z.string(),
  /** The server's id of the account. */
  accountId: z.string(),
  /** The key is an administrator's: it sees what administrators see. */
  isAdmin: z.boolean(),
  /** The server gave it to the bot for this person, so it is worth nothing without the bot: it is ended with it. */
  byLink: z.boolean().optional(),
  /** When the server refused the key, milliseconds since 1970; nothing is asked with it from then on. */
  refusedAt: z.number().optional(),
});

/** Somebody's own account, as they connected it. */
export interface OwnAccount extends z.infer<typeof Facts> {
  readonly key: OwnKey;
  /** Milliseconds since 1970. */
  readonly connectedAt: number;
  /** False: the server refused it, or it cannot be read here any more; it has to be connected again. */
  readonly isGood: boolean;
}

/** A key that is over; `toEnd`: itself, where the server is to be told so. */
export interface FormerKey {
  readonly key: OwnKey;
  readonly toEnd: string | undefined;
}

/** What a vault needs. */
export interface VaultOptions {
  readonly config: Pick<Config, "accountSecrets" | "server">;
  readonly store: Store;
  /** The workspace. */
  readonly team: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Where people's keys are kept. A sealed key opens for its person and the configured server alone, with what was written
 * beside it as it was kept: whoever can write to the database and has not the secret can delete it, and change nothing of it.
 */
export function createVault({ config, store, team, now }: VaultOptions) {
  const sealer = config.accountSecrets === undefined ? undefined : createSealer(config.accountSecrets);
  const origin = URL.parse(config.server.baseUrl)?.origin ?? config.server.baseUrl;
  const holderOf = (user: string): string => `${team}:${user}`;
  const tickets = createTickets(store, holderOf);

  const { placeOf, read } = createReader({ store, sealer, origin });

  async function formerOf(user: string): Promise<FormerKey | undefined> {
    const record = await store.accountOf(holderOf(user));
    if (record === undefined) return undefined;
    const { account, apiKey } = await read(record);
    return { key: account.key, toEnd: account.byLink === true ? apiKey : undefined };
  }

  return {
    begin: tickets.begin,
    isCurrent: tickets.isCurrent,
    ...createWords(sealer, (user) => [holderOf(user), origin]),

    /** Whether people can connect an account: there is a secret to seal with. */
    isOffered: sealer !== undefined,

    /** The account this person connected; undefined: none. */
    async of(user: string): Promise<OwnAccount | undefined> {
      if (sealer === undefined || user === "") return undefined;
      const record = await store.accountOf(holderOf(user));
      return record && (await read(record)).account;
    },

    /**
     * The account of a connection, with its key, for whom it is of. Rejects with AuthError where it is over, was refused, is
     * somebody else's, or cannot be read here.
     */
    async opened(key: OwnKey, user: string): Promise<{ account: OwnAccount; apiKey: string }> {
      const record = await store.account(connectionIn(key));
      if (record === undefined) throw new AuthError("The account is not connected any more.");
      if (record.holder !== holderOf(user)) throw new AuthError("The account is somebody else's.");
      const { account, apiKey } = await read(record);
      if (account.refusedAt !== undefined)
        throw new AuthError("The server does not accept the account's key any more.");
      if (apiKey !== undefined) return { account, apiKey };
      throw new AuthError("The account was sealed with another secret, or for another server.");
    },

    /** Keeps a key in the place of the one before it; undefined: the person did something else since `begin`. */
    async keep(
      user: string,
      apiKey: string,
      { ticket, ...facts }: Omit<z.infer<typeof Facts>, "refusedAt"> & { readonly ticket: string },
    ): Promise<OwnAccount | undefined> {
      if (sealer === undefined) return undefined;
      const holder = holderOf(user);
      const bare = { holder, id: randomUUID(), sealed: "", facts, connectedAt: Math.round(now()) };
      const record = { ...bare, sealed: sealer.seal(apiKey, placeOf(bare, facts)) };
      // Whoever ended it meanwhile, here or on another instance, found nothing to end.
      const isKept = await store.saveAccount(record, { name: tickets.nameOf(user), value: ticket });
      return isKept ? (await read(record)).account : undefined;
    },

    /** The server refused it: it is asked with no more, until it is connected again. */
    async refused(key: OwnKey): Promise<void> {
      const record = await store.account(connectionIn(key));
      if (record === undefined) return;
      await store.changeAccount(record.id, { facts: { ...Facts.parse(record.facts), refusedAt: now() } });
    },

    /** The key goes, and what is about to be kept is not; the one it was, undefined: there was none. */
    async remove(user: string): Promise<FormerKey | undefined> {
      await tickets.begin(user);
      const former = await formerOf(user);
      if (former !== undefined) await store.deleteAccount(connectionIn(former.key));
      return former;
    },

    /** Who of this workspace has connected one. */
    async holders(): Promise<string[]> {
      const lead = holderOf("");
      return (await store.allAccounts()).flatMap(({ holder }) =>
        holder.startsWith(lead) ? [holder.slice(lead.length)] : [],
      );
    },

    /** The key this person has, for when it is over. */
    former: formerOf,

    /** Whether the connection is there still. */
    isConnected: async (key: OwnKey): Promise<boolean> => (await store.account(connectionIn(key))) !== undefined,
  };
}

type Sealer = ReturnType<typeof createSealer>;

/** Reads what is kept of accounts, and binds it anew where it was sealed as things are no more. */
function createReader({ store, sealer, origin }: { store: Store; sealer: Sealer | undefined; origin: string }) {
  /** What a sealed key belongs to. That it was refused is no part of it: it comes later, and lets nobody in. */
  function placeOf({ holder, id, connectedAt }: AccountRecord, facts: z.infer<typeof Facts>): string[] {
    const { name, accountId, isAdmin, byLink = false } = facts;
    return ["account 2", holder, origin, id, accountId, name, `${isAdmin} ${byLink} ${connectedAt}`];
  }

  async function read(record: AccountRecord): Promise<{ account: OwnAccount; apiKey: string | undefined }> {
    const facts = Facts.parse(record.facts);
    const place = placeOf(record, facts);
    const bound = sealer?.open(record.sealed, place);
    // The version before bound it to its person and server alone.
    const opened = bound ?? sealer?.open(record.sealed, [record.holder, origin]);
    const isGood = opened !== undefined && facts.refusedAt === undefined;
    const account = { ...facts, key: `own:${record.id}` as const, connectedAt: record.connectedAt, isGood };
    // Sealed before the secret was replaced, or by the version before: from now on as new ones are.
    if (opened !== undefined && (bound === undefined || !opened.isFirst)) {
      await store.changeAccount(record.id, { sealed: sealer?.seal(opened.text, place) });
    }
    return { account, apiKey: opened?.text };
  }

  return { placeOf, read };
}

/** Words that are no keys, and are this bot's alone to write or to read. */
function createWords(sealer: Sealer | undefined, placeOf: (user: string) => readonly string[]) {
  const hiddenPlace = (user: string): string[] => [...placeOf(user), "hidden"];
  return {
    /** What tells these words from any that others wrote into the database; undefined: there is no secret to tell by. */
    mark: (words: readonly string[]): string | undefined => sealer?.mark(words),
    isMarked: (mark: string | undefined, words: readonly string[]): boolean =>
      mark !== undefined && sealer?.isMark(mark, words) === true,

    /** A text only this bot reads, and only as this person's. */
    hidden: (user: string, text: string): string | undefined => sealer?.seal(text, hiddenPlace(user)),
    shown: (user: string, hidden: string) => sealer?.open(hidden, hiddenPlace(user))?.text,
  };
}

/** What each person is at: who does something else meanwhile gets nothing kept of what they began before. */
function createTickets(store: Store, holderOf: (user: string) => string) {
  const nameOf = (user: string): string => `connecting:${holderOf(user)}`;
  return {
    nameOf,
    /** Somebody begins to connect an account: what is given to `keep`, unless they think better of it meanwhile. */
    async begin(user: string): Promise<string> {
      const ticket = randomUUID();
      await store.remember(nameOf(user), ticket);
      return ticket;
    },
    /** Whether this is still what the person is at. */
    isCurrent: async (user: string, ticket: string): Promise<boolean> => (await store.recall(nameOf(user))) === ticket,
  };
}
