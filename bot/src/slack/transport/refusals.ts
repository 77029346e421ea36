import { SlackError, WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api";
import { PACE } from "./limits.ts";

/** Why a call did not succeed, by what can be done about it. */
export type Refusal =
  /** Not done; may be tried again after `waitMs`. */
  | { readonly kind: "limited"; readonly code: string; readonly waitMs: number }
  /** Streaming cannot be had: `wide` in the whole workspace, else in this channel. */
  | { readonly kind: "unstreamable"; readonly code: string; readonly wide: boolean }
  /** The content is too long or not to the platform's taste. */
  | { readonly kind: "content"; readonly code: string; readonly long: boolean }
  /**
   * `lost`: nobody knows whether it was done: no answer, or a fault of the server. `revoked`: the token is no good any
   * more. `gone`: the place or the message is no more, or closed to us. `ended`: the stream is not open any more.
   * `stopped`: the person pressed Stop. `other`: something else the platform said.
   */
  | { readonly kind: "lost" | "revoked" | "gone" | "ended" | "stopped" | "other"; readonly code: string };

/** The platform's word ended something. */
class EndedByPlatform extends Error {
  /** The platform's word for it. */
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The workspace took the bot's token back. Everything for this workspace ends. */
export class WorkspaceRevoked extends EndedByPlatform {
  override readonly name = "WorkspaceRevoked";
  constructor(code: string, options?: ErrorOptions) {
    const todo = "Install the app again and set the new token.";
    super(code, `Slack does not accept the bot's token any more (${code}). ${todo}`, options);
  }
}

/** The place or a message of ours is no more: the delivery ends quietly. */
export class PlaceGone extends EndedByPlatform {
  override readonly name = "PlaceGone";
  constructor(code: string) {
    super(code, `The place of the answer is no more (${code}).`);
  }
}

/** The platform refuses the message whatever its shape, such as for a missing permission. */
export class MessageRefused extends EndedByPlatform {
  override readonly name = "MessageRefused";
  constructor(method: string, code: string) {
    super(code, `Slack refused ${method}: ${code}.`);
  }
}

/** The platform did not answer for as long as was waited. What was done is in the journal. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  constructor(method: string, options?: ErrorOptions) {
    const then = "The answer is kept and will be delivered when Slack answers again.";
    super(`Slack did not answer ${method}. ${then}`, options);
  }
}

/** Whether it is the platform that did not answer, or had a fault of its own: worth waiting for. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof SlackError && refusalOf(error, "").kind === "lost");

/** The token is no good any more. */
export const REVOKED: ReadonlySet<string> = new Set([
  "token_revoked",
  "invalid_auth",
  "account_inactive",
  "not_authed",
  "token_expired",
  "user_removed_from_team",
  "team_disabled",
]);
/** The place is closed to us, for a stream as for a post. */
const RESTRICTED = [
  "user_not_found",
  "restricted_action",
  "restricted_action_read_only_channel",
  "restricted_action_thread_only_channel",
  "restricted_action_thread_locked",
  "restricted_action_non_threadable_channel",
];
const GONE = new Set([
  "channel_not_found",
  "is_archived",
  "is_inactive",
  "not_in_channel",
  "thread_not_found",
  "message_not_found",
  "cannot_reply_to_message",
  "user_not_in_channel",
  ...RESTRICTED,
]);
const WIDE = new Set(["feature_not_enabled", "method_deprecated", "unknown_method", "not_allowed_token_type"]);
const HERE = new Set([
  "channel_type_not_supported",
  "missing_recipient_user_id",
  "missing_recipient_team_id",
  ...RESTRICTED,
  "messages_tab_disabled",
]);
const LONG = new Set([
  "msg_too_long",
  "msg_blocks_too_long",
  "msg_blocks_too_many",
  "too_many_blocks",
  "metadata_too_large",
]);
const CONTENT = new Set([
  "invalid_blocks",
  "invalid_blocks_format",
  "invalid_chunks",
  "no_text",
  "markdown_text_conflict",
]);
/** The platform's own faults: Slack's documentation says that part of the work may have been done. */
const FAULTS = new Set(["internal_error", "fatal_error", "service_unavailable", "request_timeout"]);

/** What a failed call of `method` means. Anything that is no error of the web client counts as lost. */
export function refusalOf(error: unknown, method: string): Refusal {
  if (error instanceof WebAPIRateLimitedError) {
    return { kind: "limited", code: "ratelimited", waitMs: Math.max(0, error.retryAfter * 1000) };
  }
  if (error instanceof WebAPIHTTPError) {
    // Statuses below 500 other than 429 come from what stands between: the method was not reached.
    return { kind: error.statusCode >= 500 ? "lost" : "other", code: `http_${error.statusCode}` };
  }
  if (!(error instanceof WebAPIPlatformError)) return { kind: "lost", code: "no_answer" };
  const code = error.data.error;
  if (code === "ratelimited" || code === "rate_limited") return { kind: "limited", code, waitMs: PACE.retryAfterMs };
  if (REVOKED.has(code)) return { kind: "revoked", code };
  const isStart = method === "chat.startStream";
  if (WIDE.has(code) && (isStart || method === "chat.appendStream")) return { kind: "unstreamable", code, wide: true };
  if (isStart && HERE.has(code)) return { kind: "unstreamable", code, wide: false };
  if (GONE.has(code)) return { kind: "gone", code };
  if (code === "stopped_by_user") return { kind: "stopped", code };
  if (code === "message_not_in_streaming_state") return { kind: "ended", code };
  if (LONG.has(code) || CONTENT.has(code)) return { kind: "content", code, long: LONG.has(code) };
  // A proxy's page instead of an answer arrives as an "error" that is no code.
  if (FAULTS.has(code) || !/^[a-z0-9_.:-]{1,80}$/i.test(code)) return { kind: "lost", code: "unreadable_answer" };
  return { kind: "other", code };
}
