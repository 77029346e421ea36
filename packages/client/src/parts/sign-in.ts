/** How a program gets a key of a person: it shows a code, the person agrees in a browser (RFC 8628, docs/wire.md 1.10). */
import * as z from "zod/mini";
import type { CallOptions } from "../client.ts";
import { delay } from "../delay.ts";
import {
  AuthError,
  ClientError,
  InvalidRequestError,
  ProtocolError,
  RateLimitError,
  UnavailableError,
} from "../errors/errors.ts";
import type { ConnectionOptions } from "../http/connection-options.ts";
import { createTransport } from "../http/transport.ts";

/** Who asks for a key, as the person is told. */
export interface SignInRequest {
  /** What the program is called, such as `Threadlore terminal`. */
  readonly client: string;
  /** What the key is for, such as `terminal on anna-laptop`; it is listed under this. At most 200 characters. */
  readonly purpose: string;
  /** Only somebody with this address may agree. Absent: whoever opens the page. */
  readonly expectedEmail?: string | undefined;
}

/** A sign-in that waits for its person. */
export interface BegunSignIn {
  /** Known to this program alone. */
  readonly deviceCode: string;
  /** For the person to compare or type, such as `BDWP-HQNK`. */
  readonly userCode: string;
  /** Where it is typed. */
  readonly page: string;
  /** The same page, with the code in it. */
  readonly pageWithCode: string;
  /** How long it is good for, and how long to wait between two questions. Milliseconds. */
  readonly expiresMs: number;
  readonly intervalMs: number;
}

const Begun = z.object({
  device_code: z.string().check(z.minLength(8)),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.optional(z.string()),
  expires_in: z.number(),
  interval: z.optional(z.number()),
});
const AuthType = z.object({ device_sign_in_enabled: z.optional(z.unknown()) });
const Token = z.object({ access_token: z.string().check(z.regex(/^[\x21-\x7e]+$/)) });

/** Whether a server lets programs ask a person for a key. Deployed servers do not. Throws where it gives no answer. */
export async function offersSignIn(connection: ConnectionOptions, given: CallOptions = {}): Promise<boolean> {
  const transport = createTransport({ ...connection, apiKey: "" });
  const call = { method: "GET", path: "/auth/type", repeatable: true, anonymous: true, signal: given.signal } as const;
  try {
    return (await transport.json(call, AuthType)).device_sign_in_enabled === true;
  } catch (error) {
    if (error instanceof ClientError && (error.outcome === "invalid" || error.outcome === "protocol")) return false;
    throw error;
  }
}

/** Asks for a key. Throws ClientErrors. */
export async function beginSignIn(
  connection: ConnectionOptions,
  { client, purpose, expectedEmail }: SignInRequest,
  given: CallOptions = {},
): Promise<BegunSignIn> {
  const transport = createTransport({ ...connection, apiKey: "" });
  const fields = {
    client_id: shortened(client),
    purpose: shortened(purpose),
    ...(expectedEmail !== undefined && { expected_email: expectedEmail }),
  };
  const call = {
    method: "POST",
    path: "/sign-in/device",
    form: new URLSearchParams(fields),
    repeatable: false,
    anonymous: true,
  } as const;
  const begun = await transport.json({ ...call, signal: given.signal }, Begun);
  const { verification_uri: page, verification_uri_complete: complete = page } = begun;
  for (const address of [page, complete]) {
    // It is shown to a person who is to open it.
    if (!/^https?:\/\/[\x21-\x7e]+$/.test(address)) {
      throw new ProtocolError(`${transport.host} names no web page to sign in on.`, { host: transport.host });
    }
  }
  return {
    deviceCode: begun.device_code,
    userCode: begun.user_code,
    page,
    pageWithCode: complete,
    expiresMs: Math.max(1, begun.expires_in) * 1_000,
    intervalMs: Math.max(1, begun.interval ?? 5) * 1_000,
  };
}

const shortened = (text: string): string => [...text].slice(0, 100).join("");

/**
 * Waits until the person has answered, and gives the key. It asks as often as the server allows, and goes on over a server
 * that is away for a while. Throws AuthError where they refused or the code is too old, AbortedError when stopped.
 */
export async function awaitKey(
  connection: ConnectionOptions,
  { deviceCode, expiresMs, intervalMs }: BegunSignIn,
  given: CallOptions = {},
): Promise<string> {
  const until = performance.now() + expiresMs;
  for (let pauseMs = intervalMs; performance.now() < until;) {
    await delay(pauseMs, given.signal);
    const reply = await askForKey(connection, { deviceCode, intervalMs: pauseMs }, given);
    if ("key" in reply) return reply.key;
    pauseMs = reply.pauseMs;
  }
  throw tooLate();
}

/**
 * Asks once whether the person has answered, for programs that wait in their own way; `pauseMs`: not yet, or the server is
 * away, and it is to be asked again after so long. Throws AuthError where they refused or the code is too old.
 * @param begun `intervalMs`: how long was waited before
 */
export async function askForKey(
  connection: ConnectionOptions,
  { deviceCode, intervalMs }: Pick<BegunSignIn, "deviceCode" | "intervalMs">,
  given: CallOptions = {},
): Promise<{ readonly key: string } | { readonly pauseMs: number }> {
  const transport = createTransport({ ...connection, apiKey: "", retries: { retries: 0 } });
  const fields = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: deviceCode };
  const call = { method: "POST", path: "/sign-in/token", repeatable: false, anonymous: true } as const;
  try {
    const reply = await transport.json(
      { ...call, form: new URLSearchParams(fields), secrets: [deviceCode], signal: given.signal },
      Token,
    );
    return { key: reply.access_token };
  } catch (error) {
    return { pauseMs: pauseAfter(error, intervalMs) };
  }
}

/** How long to wait before the next question, milliseconds. Throws where there is none. */
function pauseAfter(error: unknown, pauseMs: number): number {
  if (error instanceof RateLimitError) return pauseMs + 5_000;
  if (error instanceof UnavailableError) return Math.min(pauseMs * 2, 30_000);
  if (!(error instanceof InvalidRequestError)) throw error;
  if (error.code === "authorization_pending") return pauseMs;
  if (error.code === "slow_down") return pauseMs + 5_000;
  if (error.code === "access_denied") throw new AuthError("The person refused. Nothing was kept.");
  if (error.code === "expired_token" || error.code === "invalid_grant") throw tooLate();
  throw error;
}

function tooLate(): AuthError {
  return new AuthError("Nobody agreed in time, so the code is worth nothing any more. Begin anew.");
}

const OwnKeys = z.array(z.object({ id: z.number(), is_current: z.optional(z.boolean()) }));

/**
 * Ends the key of a connection, where it is a person's own and its server lets them (`DELETE /me/keys/{id}`). Answers false
 * where it is not: whoever made it ends it. Throws ClientErrors, AuthError where it was worth nothing already.
 */
export async function endOwnKey(connection: ConnectionOptions, given: CallOptions = {}): Promise<boolean> {
  const transport = createTransport(connection);
  const { signal } = given;
  try {
    const keys = await transport.json({ method: "GET", path: "/me/keys", repeatable: true, signal }, OwnKeys);
    const own = keys.find(({ is_current: isCurrent }) => isCurrent === true);
    if (own === undefined) return false;
    await transport.json({ method: "DELETE", path: `/me/keys/${own.id}`, repeatable: true, signal }, z.unknown());
    return true;
  } catch (error) {
    // Deployed servers know no such path.
    if (error instanceof ClientError && (error.outcome === "invalid" || error.outcome === "protocol")) return false;
    throw error;
  }
}
