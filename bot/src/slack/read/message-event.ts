import { readMessage, record, records, text } from "@threadlore/documents/slack";
import type { Place } from "./people.ts";

/** What an event tells of a message. */
export type MessageEvent = Readonly<NonNullable<ReturnType<typeof readMessageEvent>>>;

/** By the channel's type as an event has it; a look may tell otherwise. */
const KINDS: Readonly<Record<string, Place["kind"]>> = { im: "im", mpim: "mpim", group: "private" };

/** An event of the kinds `message` and `app_mention`, read once for everybody who hears it. Undefined: it names no message. */
export function readMessageEvent(event: unknown, body: object = {}) {
  const fields = record(event);
  const said = (key: string): string => text(fields[key]);
  const channel = said("channel");
  const { message: inner, previous_message: previous, app_context: appContext, assistant_thread: assistant } = fields;
  const outer = readMessage(event);
  const changed = inner === undefined ? undefined : readMessage(inner);
  const isDeleted = outer.subtype === "message_deleted" || changed?.isTombstone === true;
  const isEdited = !isDeleted && outer.subtype === "message_changed" && changed !== undefined;
  const before = previous === undefined ? undefined : readMessage(previous);
  const ts = isDeleted ? said("deleted_ts") || changed?.ts || before?.ts : (changed ?? outer).ts;
  if (channel === "" || ts === undefined || ts === "") return undefined;
  const channelKind: Place["kind"] = channel.startsWith("D") ? "im" : (KINDS[said("channel_type")] ?? "public");
  const kind: "said" | "edited" | "deleted" | "notice" = isDeleted
    ? "deleted"
    : isEdited
      ? "edited"
      : outer.isNotice
        ? "notice"
        : "said";
  return {
    /** `notice`: nobody said anything; the platform tells of something, or of a change that does not matter here. */
    kind,
    channel,
    /** As it is now; of a deleted one what it was, as far as the event tells, and its `ts`. */
    message: { ...(isDeleted ? (before ?? outer) : isEdited ? changed : outer), ts },
    /** As it was; of edits only. */
    before,
    /** Moment of the event, in the platform's form. */
    happenedAt: said("event_ts") || said("ts"),
    channelKind,
    /** It came as a mention of the app, whatever its words. */
    isMention: said("type") === "app_mention",
    /** It was written in the app's own conversation. */
    inAgent: appContext !== undefined || assistant !== undefined,
    /** With it the platform can be searched for whoever wrote it; it comes in either of two places. */
    actionToken: said("action_token") || text(record(assistant)["action_token"]) || undefined,
    /** The channel is shared with another company. */
    shared: record(body)["is_ext_shared_channel"] === true,
    /** The channel that is open beside the conversation with the app. */
    looksAt: openChannelOf(appContext),
  };
}

/** The channel an app context names; undefined where it names none. */
export function openChannelOf(appContext: unknown): string | undefined {
  return records(record(appContext)["entities"])
    .filter(({ type }) => type === "slack#/types/channel_id")
    .map(({ value }) => value)
    .find((value) => typeof value === "string");
}
