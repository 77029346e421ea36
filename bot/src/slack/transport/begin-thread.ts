import type { WebClient } from "@slack/web-api";
import type { Pacer } from "./pacing.ts";
import { platformError } from "../read/people.ts";
import { refusalOf } from "./refusals.ts";
import { PACE } from "./limits.ts";

/** `event_type` of the metadata of a message that begins a thread. */
const BEGUN_EVENT = "threadlore_question";

/** How a thread is begun. */
export interface Beginning {
  readonly team: string;
  readonly channel: string;
  /** The thread it goes into; absent: it begins one. */
  readonly threadTs?: string;
  readonly taskId: string;
  /** mrkdwn. */
  readonly text: string;
  /** Nothing older than this can be it, milliseconds since 1970. */
  readonly since: number;
  /** An earlier attempt may have posted it already. */
  readonly maybePosted: boolean;
  /** Asks whether this run may still post it; what it throws is thrown. */
  readonly hold: () => Promise<void>;
}

/**
 * Posts the message a thread begins with; its ts. Undefined: the bot may not post there. One that was posted before the
 * bot was killed is found by its metadata and not posted twice.
 */
export async function postBeginning(
  { posts, reads, pacer }: { posts: WebClient; reads: WebClient; pacer: Pacer },
  beginning: Beginning,
): Promise<string | undefined> {
  const { team, channel, threadTs, taskId, text, maybePosted } = beginning;
  if (maybePosted) {
    const found = await find(reads, beginning);
    if (found !== undefined) return found;
  }
  try {
    const reply = await pacer.call({ team, method: "chat.postMessage", channel }, async () => {
      await beginning.hold();
      return posts.chat.postMessage({
        channel,
        text,
        unfurl_links: false,
        unfurl_media: false,
        metadata: { event_type: BEGUN_EVENT, event_payload: { task: taskId } },
        thread_ts: threadTs,
      });
    });
    return reply.ts;
  } catch (error) {
    const refusal = refusalOf(error, "chat.postMessage", PACE.retryAfterMs);
    // Perhaps it was posted all the same: it is looked for before anybody posts again.
    if (refusal.kind === "lost") {
      const found = await find(reads, beginning);
      if (found !== undefined) return found;
    }
    if (NOWHERE.has(platformError(error) ?? "")) return undefined;
    throw error;
  }
}

const NOWHERE: ReadonlySet<string> = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "restricted_action",
]);

async function find(reads: WebClient, { channel, threadTs, taskId, since }: Beginning): Promise<string | undefined> {
  const window = { channel, oldest: String(Math.floor(since / 1000) - 60), limit: 200, include_all_metadata: true };
  const reply =
    threadTs === undefined
      ? await reads.conversations.history(window)
      : await reads.conversations.replies({ ...window, ts: threadTs });
  for (const message of reply.messages ?? []) {
    const { metadata } = message;
    const task: unknown =
      metadata?.event_payload === undefined ? undefined : Reflect.get(metadata.event_payload, "task");
    if (metadata?.event_type === BEGUN_EVENT && task === taskId) return message.ts;
  }
  return undefined;
}
