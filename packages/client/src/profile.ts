/** What differs from server to server, as data. Code never asks which product it talks to. */
export interface Profile {
  /** Path of the ingestion operation, from the base URL on. */
  readonly ingestionPath: string;
  /** The origin the chat-platform bot names itself by. */
  readonly botOrigin: string;
  /** The origin the browser extension names itself by. */
  readonly extensionOrigin: string;
}

/** The specification's own values: what a client uses that was given no profile. */
export const DEFAULT_PROFILE: Profile = Object.freeze({
  ingestionPath: "/service-api/ingestion",
  botOrigin: "slackbot",
  extensionOrigin: "chrome_extension",
});

/** Deployed servers: the ingestion path carries their own first segment (docs/wire.md, section 0). */
export const DEPLOYED_PROFILE: Profile = Object.freeze({ ...DEFAULT_PROFILE, ingestionPath: "/onyx-api/ingestion" });
