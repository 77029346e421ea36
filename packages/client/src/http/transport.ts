import type * as z from "zod/mini";
import { normalizeBaseUrl } from "../address/base-url.ts";
import { CallWatch } from "./call-watch.ts";
import { DEFAULT_TIMEOUTS, type ConnectionOptions, type Timeouts } from "./connection-options.ts";
import { AuthError, InvalidRequestError, ProtocolError } from "../errors/errors.ts";
import { networkFailure } from "../errors/network-failure.ts";
import { discard, readJson, readText, type TextReply } from "./reply-body.ts";
import { DEFAULT_RETRIES } from "./retry-policy.ts";
import { type Call, createSender } from "./send.ts";
import { withDefaults } from "../with-defaults.ts";

/** A successful reply whose body is still to be read. Whoever opens one must `close` it. */
export interface OpenReply {
  status: number;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
  watch: CallWatch;
  /** Gives the connection back or drops it. Safe to call twice. */
  close(): void;
}

/** The one way to a server: shared by every client of it, so that they share its waits. */
export interface Transport {
  readonly baseUrl: string;
  readonly origin: string;
  /** Host and port, for messages. */
  readonly host: string;
  readonly timeouts: Timeouts;
  /** Sends a call, repeating it as the policy allows, and gives the reply with its body unread. */
  open(call: Call): Promise<OpenReply>;
  /** Reads the body of an opened reply whole, as text, and closes it. */
  read(reply: OpenReply): Promise<TextReply>;
  /** Sends a call and reads its body whole, as text. */
  text(call: Call): Promise<TextReply>;
  /** Sends a call whose answer is JSON of this shape. Throws ProtocolError when it is not. */
  json<Schema extends z.ZodMiniType>(call: Call, schema: Schema): Promise<z.output<Schema>>;
}

/** Longest body read whole, in bytes. */
const MAX_WHOLE_BYTES = 64_000_000;

/** Makes the transport. Throws InvalidRequestError for a base URL or key that can never work. */
export function createTransport(options: ConnectionOptions): Transport {
  const baseUrl = normalizeBaseUrl(options.baseUrl, options);
  const { origin, host } = new URL(baseUrl);
  const apiKey = checkedKey(options.apiKey);
  const timeouts = withDefaults(DEFAULT_TIMEOUTS, options.timeouts);
  const retries = withDefaults(DEFAULT_RETRIES, options.retries);
  const send = createSender({ baseUrl, host, apiKey, retries, fetch: options.fetch });
  let authFailureTold = false;

  async function open(call: Call): Promise<OpenReply> {
    const watch = new CallWatch(host, timeouts.totalMs, call.signal);
    try {
      watch.check();
      const response = await send(call, watch, call.slow === true ? timeouts.slowFirstByteMs : timeouts.firstByteMs);
      if (call.anonymous !== true) authFailureTold = false;
      return opened(response, watch);
    } catch (error) {
      watch.done();
      if (error instanceof AuthError && !authFailureTold) {
        authFailureTold = true;
        options.onAuthFailure?.(origin);
      }
      throw error;
    }
  }

  async function read(reply: OpenReply): Promise<TextReply> {
    try {
      reply.watch.allowSilence(timeouts.slowFirstByteMs);
      const whole = await readText(reply.body, reply.watch, MAX_WHOLE_BYTES);
      if (whole === undefined) throw new ProtocolError(`${host} sent more than 64 MB at once.`, { host });
      return { status: reply.status, headers: reply.headers, text: whole };
    } catch (error) {
      reply.watch.check();
      throw error instanceof ProtocolError ? error : networkFailure(error, host);
    } finally {
      reply.close();
    }
  }

  const text = async (call: Call): Promise<TextReply> => read(await open(call));

  async function json<Schema extends z.ZodMiniType>(call: Call, schema: Schema): Promise<z.output<Schema>> {
    return readJson(await text(call), schema, host);
  }

  return { baseUrl, origin, host, timeouts, open, read, text, json };
}

function opened(response: Response, watch: CallWatch): OpenReply {
  const close = () => {
    watch.done();
    discard(response);
  };
  return { status: response.status, headers: response.headers, body: response.body, watch, close };
}

function checkedKey(apiKey = ""): string {
  const key = apiKey.trim();
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  const message = "The API key holds characters no key has. Copy it again, without blanks or line ends.";
  throw InvalidRequestError.at(["api_key"], message, "api_key");
}
