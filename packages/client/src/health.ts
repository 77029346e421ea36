import * as z from "zod/mini";
import { AbortedError, ClientError } from "./errors.ts";
import { createTransport, readJson, type ConnectionOptions } from "./http.ts";

/** What a service says of itself when it is up. A website answers the same path, but not with this. */
export const Health = z.looseObject({ success: z.literal(true) });

/** What came of asking an address for its health. */
export type HealthAnswer = { headers: Headers } | { error: ClientError };

/**
 * Asks whether a service answers at a base URL. The key stays here: the address may turn out to be somebody else's.
 * Throws AbortedError when stopped; every other failure is an answer.
 */
export async function askHealth(connection: ConnectionOptions, signal?: AbortSignal): Promise<HealthAnswer> {
  try {
    const transport = createTransport({ ...connection, apiKey: "" });
    const call = { method: "GET", path: "/health", repeatable: true, ...(signal && { signal }) } as const;
    const reply = await transport.text(call);
    readJson(reply, Health, transport.host);
    return { headers: reply.headers };
  } catch (error) {
    if (error instanceof AbortedError || !(error instanceof ClientError)) throw error;
    return { error };
  }
}
