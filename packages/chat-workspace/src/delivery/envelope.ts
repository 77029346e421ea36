/** What is handed to the app, however it is connected. */
export interface Envelope {
  readonly kind: "events_api" | "slash_commands" | "interactive";
  readonly body: Readonly<Record<string, unknown>>;
  /** How many times it was sent before. */
  readonly attempt: number;
  /** Why it is sent again: `http_timeout`, `timeout`, `connection_failed`…; empty the first time. */
  readonly reason: string;
}

/**
 * A way to the app. Resolves with what the app answered at once (empty when nothing). Rejects with {@link Undelivered}
 * when it did not acknowledge in time or could not be reached. An event waits until it can be sent; anything else fails
 * at once.
 */
export type Transport = (envelope: Envelope) => Promise<Record<string, unknown>>;

/** The app did not take what it was sent. */
export class Undelivered extends Error {
  override readonly name = "Undelivered";
  readonly reason: string;
  /** The app asked not to be sent it again. */
  readonly final: boolean;

  constructor(reason: string, options: { final?: boolean } = {}) {
    super(`The app did not acknowledge: ${reason}`);
    this.reason = reason;
    this.final = options.final ?? false;
  }
}
