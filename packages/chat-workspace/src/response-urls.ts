import type { Parts } from "./workspace-parts.ts";
import type { State, StoredMessage, StoredResponseUrl } from "./state.ts";
import { asFlag, fieldsOf, type Fields } from "./fields.ts";

/** How often and how long a response_url may be posted to, milliseconds. */
const MAX_USES = 5;
const LIFE_MS = 30 * 60_000;

/** Where an answer is shown. */
export type ReplyPlace = Pick<StoredResponseUrl, "user" | "channel" | "source" | "threadTs">;

/** An address to which an app may answer something a person did. */
export function newResponseUrl(state: State, place: ReplyPlace): string {
  const secret = state.hex(24);
  state.responseUrls.set(secret, { ...place, secret, issuedAt: state.now(), uses: 0 });
  return `${state.url}/response/${state.team.id}/${secret}`;
}

/** Spends one use of an address; returns its place, or the word for why not. */
export function spendResponseUrl(state: State, path: string): StoredResponseUrl | "expired_url" | "used_url" {
  const found = state.responseUrls.get(path.split("/").at(-1) ?? "");
  if (found === undefined || state.now() - found.issuedAt > LIFE_MS) return "expired_url";
  if (found.uses >= MAX_USES) return "used_url";
  found.uses += 1;
  return found;
}

/** Shows what an app answered with: alone to the person unless it says otherwise. */
export function showReply(
  { state, acts }: Pick<Parts, "state" | "acts">,
  place: ReplyPlace,
  reply: Fields,
  breach: (words: string) => void,
): void {
  const source = place.source === undefined ? undefined : state.message(place.channel, place.source);
  const own = source?.botId === state.app.botId ? source : undefined;
  if (asFlag(reply["delete_original"]) === true) {
    if (own !== undefined) acts.remove(own);
    return;
  }
  const content = contentOf(reply);
  if (asFlag(reply["replace_original"]) === true && own !== undefined) {
    acts.edit(own, own.user, content);
    return;
  }
  const asked = typeof reply["thread_ts"] === "string" ? reply["thread_ts"] : undefined;
  const threadTs = asked ?? place.threadTs;
  const everybody = reply["response_type"] === "in_channel";
  const active = threadTs === undefined || isActive(state, place.channel, threadTs);
  const unshown = !everybody && asked !== undefined && !active;
  if (unshown) breach(UNSHOWN);
  // Where the app names no thread, an answer for one person stands in the channel until there is one.
  const where = everybody || active || unshown ? { threadTs } : {};
  const only = everybody ? {} : { only: place.user };
  acts.postAsApp({ ...content, channel: place.channel, ...where, ...only, ...(unshown && { unshown }) });
}

function contentOf(reply: Fields): Pick<StoredMessage, "text" | "blocks" | "attachments"> {
  const text = reply["text"] ?? reply["markdown_text"];
  return {
    text: typeof text === "string" ? text : "",
    blocks: fieldsOf(reply["blocks"]),
    attachments: fieldsOf(reply["attachments"]),
  };
}

/** Whether anybody has replied in a thread: before that there is none to see. */
export function isActive(state: State, channel: string, threadTs: string): boolean {
  return state.readable(channel).some((one) => one.threadTs === threadTs && one.ts !== threadTs);
}

/** Said of a message for one person in a thread without replies; `chat.postEphemeral`: "only shown if active". */
export const UNSHOWN =
  "a message for one person in a thread nobody has replied in is shown nowhere: leave thread_ts out";
