import * as z from "zod/mini";
import { AbortedError, ClientError } from "../errors/errors.ts";
import { readJson } from "../http/reply-body.ts";
import type { ConnectionOptions } from "../http/connection-options.ts";
import { createTransport } from "../http/transport.ts";

/** What a service says of itself when it is up. A website answers the same path, but not with this. */
export const Health = z.looseObject({
  success: z.literal(true),
  message: z.optional(z.unknown()),
  /** Of the embedded service: "ok", or the name of what is wrong, which `message` then explains. */
  state: z.optional(z.unknown()),
  /** Of the embedded service: how its search index stands, where not all is well. */
  index: z.optional(z.unknown()),
});

/** What a service tells of its search index while it is made anew or cannot be written. */
const IndexHealth = z.object({ state: z.string(), message: z.string() });

/** A service that is up. */
export interface Healthy {
  headers: Headers;
  /** From the question to the answer, milliseconds. */
  tookMs: number;
  /** What it says is wrong all the same. */
  trouble?: { state: string; message: string };
  /** What it says of its search index; absent: all is well. */
  index?: z.infer<typeof IndexHealth>;
}

/** What came of asking an address for its health. */
export type HealthAnswer = Healthy | { error: ClientError };

/**
 * Asks whether a service answers at a base URL. The key stays here: the address may turn out to be somebody else's.
 * Throws AbortedError when stopped; every other failure is an answer.
 */
export async function askHealth(connection: ConnectionOptions, signal?: AbortSignal): Promise<HealthAnswer> {
  try {
    const transport = createTransport({ ...connection, apiKey: "" });
    const start = performance.now();
    const call = { method: "GET", path: "/health", repeatable: true, signal } as const;
    const reply = await transport.text(call);
    const tookMs = performance.now() - start;
    const { state, message, index } = readJson(reply, Health, transport.host);
    const isTrouble = typeof state === "string" && state !== "ok";
    const told = IndexHealth.safeParse(index);
    return {
      headers: reply.headers,
      tookMs,
      ...(isTrouble && { trouble: { state, message: String(message) } }),
      ...(told.success && { index: told.data }),
    };
  } catch (error) {
    if (error instanceof AbortedError || !(error instanceof ClientError)) throw error;
    return { error };
  }
}
