import {
  type Client,
  type ClientError,
  type ClientOptions,
  createClient,
  resolveBaseUrl,
  WrongBaseUrlError,
} from "@threadlore/client";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { type Asks, createAsks } from "@threadlore/client/asks";
import { createGaps, type Gaps } from "@threadlore/client/gaps";
import { createKeptAnswers, type KeptAnswers } from "@threadlore/client/kept";
import { createGoodAnswers, type GoodAnswers } from "@threadlore/client/good-answers";
import type { Config } from "../settings/config.ts";
import { singleFlight } from "../time.ts";
import { SILENCE } from "../slack/transport/limits.ts";

/** The server as one key sees it. */
export interface Server {
  readonly client: Client;
  readonly deployment: Deployment;
  readonly gaps: Gaps;
  readonly asks: Asks;
  readonly kept: KeptAnswers;
  readonly goodAnswers: GoodAnswers;
}

/** The server by what is done there; where no key for direct messages or for ingestion is configured, by the channel key. */
export type Servers = Readonly<Record<"channel" | "dm" | "ingest", Server>>;

/** Where the knowledge server answers: its address may have been given without the `/api` most servers want. */
export type Address = ReturnType<typeof createAddress>;

/** Longest wait for one address, milliseconds: a question may wait for it. */
const PROBE_MS = 5_000;

/** Makes an {@link Address}; nothing is asked before `find`. */
export function createAddress({ server }: Pick<Config, "server">, fetch?: ClientOptions["fetch"]) {
  let found: string | undefined;
  const find = singleFlight(async (): Promise<ClientError | undefined> => {
    if (found !== undefined) return undefined;
    const { baseUrl: given, allowPlainHttp } = server;
    const { baseUrl, tried } = await resolveBaseUrl({ baseUrl: given, allowPlainHttp, timeoutMs: PROBE_MS, fetch });
    found = baseUrl;
    if (baseUrl !== undefined) return undefined;
    const isWebsite = (error: ClientError | undefined) => error instanceof WrongBaseUrlError;
    // What was typed as it is meant, where that can be told.
    return (tried.find((one) => one.baseUrl === given && !isWebsite(one.error)) ?? tried[0])?.error;
  });

  return {
    /** As far as it is known; until it was found, as it was given. */
    get baseUrl(): string {
      return found ?? server.baseUrl;
    },
    get isFound(): boolean {
      return found !== undefined;
    },
    /** Looks for the server. Undefined: it answers; else why not, by the likeliest of the addresses. */
    find,
    /** What was found is not where the server is any more: it is looked for again. */
    lose(): void {
      found = undefined;
    },
  };
}

/**
 * The server as each key of the configuration sees it. What is asked goes to the address that is known at that moment,
 * and only once `admit` let its key.
 */
export function createServers(
  { keys, server }: Pick<Config, "keys" | "server">,
  parts: ServerParts & {
    /** Lets a key be asked with, or rejects with why not. */
    readonly admit: (key: string) => Promise<void>;
  },
): Servers {
  const made = (apiKey: string, isWaitedFor: boolean): Server =>
    createServer({ server }, { ...parts, apiKey, isWaitedFor, admit: () => parts.admit(apiKey) });
  const channel = made(keys.channel, true);
  return {
    channel,
    dm: keys.dm === undefined ? channel : made(keys.dm, true),
    ingest: keys.ingest === undefined ? channel : made(keys.ingest, false),
  };
}

/** How a server is reached. */
export interface ServerParts {
  readonly address: Pick<Address, "baseUrl">;
  readonly fetch?: ClientOptions["fetch"];
  readonly timeouts?: ClientOptions["timeouts"];
}

/**
 * The server as one key sees it, asked only once `admit` let the key.
 * @param parts `isWaitedFor`: somebody waits for what is asked, so silence ends it
 */
export function createServer(
  { server }: Pick<Config, "server">,
  parts: ServerParts & {
    readonly apiKey: string;
    readonly isWaitedFor: boolean;
    readonly admit: () => Promise<void>;
  },
): Server {
  const { address, admit, apiKey, fetch, isWaitedFor } = parts;
  const waiting = { slowFirstByteMs: SILENCE.giveUpMs, quietIdleMs: SILENCE.giveUpMs };
  const timeouts = { ...(isWaitedFor && waiting), ...parts.timeouts };
  let last: (Server & { readonly baseUrl: string }) | undefined;
  // Made anew when the server turns out to be elsewhere.
  const current = (): Server => {
    const { baseUrl } = address;
    if (last?.baseUrl === baseUrl) return last;
    const options = { ...server, baseUrl, apiKey, fetch, timeouts };
    const client = admitted(createClient(options), admit);
    const made = {
      deployment: createDeployment(options),
      gaps: createGaps(options),
      asks: createAsks(options),
      kept: createKeptAnswers(options),
      goodAnswers: createGoodAnswers(options),
    };
    last = { baseUrl, client, ...made };
    return last;
  };
  return {
    get client() {
      return current().client;
    },
    get deployment() {
      return current().deployment;
    },
    get gaps() {
      return current().gaps;
    },
    get asks() {
      return current().asks;
    },
    get kept() {
      return current().kept;
    },
    get goodAnswers() {
      return current().goodAnswers;
    },
  };
}

/** A client that asks nothing before it was let. */
function admitted(client: Server["client"], admit: () => Promise<void>): Server["client"] {
  return {
    ...client,
    async *streamMessage(request, options) {
      await admit();
      yield* client.streamMessage(request, options);
    },
  };
}
