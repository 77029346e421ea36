import { askForKey, beginSignIn, endOwnKey, offersSignIn, type SignInRequest } from "@threadlore/client/sign-in";
import type { ClientOptions } from "@threadlore/client";
import type { Address } from "../knowledge-server/servers.ts";
import type { Config } from "../settings/config.ts";
import { singleFlight } from "../time.ts";
import type { createVault } from "./vault.ts";

/** Somebody waits for these calls: nothing is tried twice, and none takes longer than ten seconds. */
export const SHORTLY = { firstByteMs: 10_000, totalMs: 10_000 };

/** Whether a server lets people sign in for the bot can change; for so long it is not asked again, milliseconds. */
const TOLD_MS = 60_000;
/** The server is asked no more often than this whether somebody agreed, milliseconds. */
const LEAST_PAUSE_MS = 3_000;

/** A sign-in that waits for its person. JSON-safe; what only the bot may know of it is sealed. */
export interface WaitingSignIn {
  readonly sealed: string;
  readonly userCode: string;
  /** The page to open, with the code in it. */
  readonly page: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly pauseMs: number;
}

interface SignInOptions {
  readonly config: Pick<Config, "server">;
  readonly address: Address;
  readonly fetch?: ClientOptions["fetch"];
  readonly timeouts?: ClientOptions["timeouts"];
  readonly now: () => number;
}

/** Getting a key from the server for somebody who agrees in a browser (RFC 8628). */
export function createSignIn(
  { config, address, fetch, timeouts, now }: SignInOptions,
  vault: Pick<ReturnType<typeof createVault>, "hidden" | "shown">,
) {
  let told: { readonly at: number; readonly isOffered: boolean } | undefined;
  const connection = (apiKey = "") => {
    const { allowPlainHttp } = config.server;
    const { baseUrl } = address;
    return { baseUrl, allowPlainHttp, apiKey, fetch, timeouts: { ...timeouts, ...SHORTLY }, retries: { retries: 0 } };
  };
  return {
    /** Whether the server lets people sign in for the bot. */
    offersSignIn: singleFlight(async (): Promise<boolean> => {
      if (told !== undefined && now() - told.at < TOLD_MS) return told.isOffered;
      await address.find();
      told = { at: now(), isOffered: await offersSignIn(connection()) };
      return told.isOffered;
    }),

    /** Begins one. Throws the client's errors. */
    async beginSignIn(user: string, request: SignInRequest): Promise<WaitingSignIn> {
      await address.find();
      const {
        deviceCode,
        userCode,
        pageWithCode: page,
        expiresMs,
        intervalMs,
      } = await beginSignIn(connection(), request);
      const sealed = vault.hidden(user, deviceCode) ?? "";
      return { sealed, userCode, page, expiresAt: now() + expiresMs, pauseMs: Math.max(intervalMs, LEAST_PAUSE_MS) };
    },

    /** Asks once whether the person agreed. Throws AuthError where nothing comes of it any more, in words for them. */
    askForKey(user: string, { sealed, pauseMs }: WaitingSignIn) {
      const deviceCode = vault.shown(user, sealed) ?? "";
      return askForKey(connection(), { deviceCode, intervalMs: pauseMs });
    },

    /** Ends a key that the server gave to the bot. Best effort. */
    async endKey(apiKey: string): Promise<void> {
      await endOwnKey(connection(apiKey)).catch(() => false);
    },
  };
}
