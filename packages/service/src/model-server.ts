import type { OpenAI } from "openai";

/** An OpenAI-compatible model server. */
export interface ModelSettings {
  /** Such as `http://127.0.0.1:11434/v1`. Trusted: an operator set it. */
  readonly baseUrl: string;
  readonly name: string;
  readonly apiKey?: string;
}

/** The library that talks to such a server: whoever wants it loads it when it is needed. */
type Library = Pick<typeof import("openai"), "OpenAI">;

/** A client of the server that asks once and takes nothing from the environment. */
export function modelServerClient(library: Library, { baseUrl, apiKey }: ModelSettings): OpenAI {
  return new library.OpenAI({
    baseURL: baseUrl,
    // Local servers want none; the library insists on one.
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    // A second try would only delay the answer that needs no model, which is ready.
    maxRetries: 0,
    logLevel: "off",
  });
}
