import { isObject, parseJson } from "./fields.ts";
import type { SigningOptions } from "./workspace.ts";

/** Who asks the workspace's own assistant. */
export interface SlackbotAsker {
  readonly user: string;
  readonly team: string;
  readonly enterprise?: string;
}

/** What an app's server answered to the assistant. */
export interface SlackbotReply {
  readonly status: number;
  /** Of the message of the protocol: its `result`, or its `error`. */
  readonly result?: Record<string, unknown>;
  readonly error?: unknown;
}

/** Posts a body to the app, signed. */
export type PostSigned = (
  url: string,
  body: string,
  options?: SigningOptions,
) => Promise<{ readonly status: number; readonly text: string }>;

let calls = 0;

/** Nothing says how long the assistant waits; its calls end with a whole answer, which takes longer than to take in an event. */
const REPLY_MS = 60_000;

/**
 * One message of the workspace's own assistant to an app's server of the Model Context Protocol, as Slack sends it to one
 * with Slack identity: signed as events are, who asks beside the call in `_meta.slack`, without a session
 * (docs/slack.md, section 16).
 * @param asker absent while it looks which tools there are
 */
export async function slackbotCall(
  post: PostSigned,
  url: string,
  message: { readonly method: string; readonly params?: Record<string, unknown>; readonly asker?: SlackbotAsker },
  options: SigningOptions = {},
): Promise<SlackbotReply> {
  const { method, params = {}, asker } = message;
  const slack = asker && { user_id: asker.user, team_id: asker.team, enterprise_id: asker.enterprise };
  const meta = slack === undefined ? {} : { _meta: { slack } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: ++calls, method, params: { ...params, ...meta } });
  const headers = { accept: "application/json, text/event-stream", ...options.headers };
  const { status, text } = await post(url, body, { timeoutMs: REPLY_MS, ...options, headers });
  // An answer is a body of JSON or one event of a stream.
  const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  const reply = parseJson(data);
  if (!isObject(reply)) return { status };
  const { result, error } = reply;
  return { status, ...(isObject(result) && { result }), ...(error !== undefined && { error }) };
}
