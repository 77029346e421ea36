import { type Client, createClient, DEFAULT_PROFILE } from "@threadlore/client";
import type { Settings } from "./config.ts";
import type { Terminal } from "../terminal/output.ts";

/** What every kind of client is created with. */
export function connection(terminal: Terminal, settings: Settings) {
  return {
    baseUrl: settings.url,
    apiKey: settings.apiKey,
    allowPlainHttp: terminal.env["THREADLORE_ALLOW_HTTP"] === "1",
    profile: { ...DEFAULT_PROFILE, ingestionPath: settings.ingestionPath ?? DEFAULT_PROFILE.ingestionPath },
  };
}

/** A client for the configured server. */
export function connect(terminal: Terminal, settings: Settings): Client {
  return createClient(connection(terminal, settings));
}
