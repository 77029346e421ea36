import { asFlag, type Arguments, fieldsOf, isObject } from "../fields.ts";
import type { StoredMessage, StoredPreview } from "../state.ts";
import { method, object, required, SlackError, text, type Call, type Methods } from "../web-api/method.ts";
import { unfurledAddresses } from "../validator/entities.ts";
import { linksIn, unfurlDomains } from "./links.ts";

/** What the app put below a text: attachments and Work Objects, by the addresses in it. */
type Added = Pick<StoredMessage, "attachments" | "entities">;

/** How long a request for details can be answered, milliseconds. */
const DETAILS_MS = 3_000;

/** `chat.unfurl`, and what is shown beside a conversation when somebody opens a preview. */
export const previewMethods: Methods = {
  "chat.unfurl": method({ tier: 3, scope: "links:write" }, (args, call) => {
    const target = targetOf(args, call);
    const unfurls = object(args, "unfurls") ?? {};
    const entities = fieldsOf(object(args, "metadata")?.["entities"]);
    const isAsked = asFlag(args["user_auth_required"]) === true;
    if (Object.keys(unfurls).length === 0 && entities.length === 0 && !isAsked) throw new SlackError("missing_unfurls");
    const attachments = Object.entries(unfurls).map(([url, unfurl]) => {
      if (!isObject(unfurl)) throw new SlackError("invalid_unfurls_format");
      return { ...unfurl, from_url: url, is_app_unfurl: true };
    });
    for (const url of [...Object.keys(unfurls), ...unfurledAddresses({ entities })]) mayUnfurl(url, target.text, call);
    const added = together(target, { attachments, entities });
    if ("deleted" in target) call.acts.edit(target, target.user, added, { quiet: true });
    else Object.assign(target, added);
    call.state.changed();
  }),
  "entity.presentDetails": method({ tier: 3 }, (args, call) => {
    const { state } = call;
    const asked = state.details.get(required(args, "trigger_id"));
    if (asked === undefined || state.now() - asked.issuedAt > DETAILS_MS) throw new SlackError("invalid_trigger_id");
    const metadata = object(args, "metadata");
    const error = object(args, "error");
    const ref = metadata?.["external_ref"];
    if (metadata !== undefined && isObject(ref) && ref["id"] !== asked.ref.id) {
      throw new SlackError("entity_metadata_does_not_match_trigger");
    }
    asked.settle({ metadata, error });
    const message = asked.at === undefined ? undefined : state.message(asked.at.channel, asked.at.ts);
    if (metadata === undefined || message === undefined) return;
    // What is told to one person here, everybody then sees below the message.
    const entities = message.entities.map((one) =>
      isObject(one["external_ref"]) && one["external_ref"]["id"] === asked.ref.id ? { ...one, ...metadata } : one,
    );
    call.acts.edit(message, message.user, { entities }, { quiet: true });
  }),
};

function mayUnfurl(url: string, words: string, { state }: Call): void {
  if (!linksIn(words, unfurlDomains(state)).some((link) => link.url === url)) {
    throw new SlackError(words.includes(url) ? "cannot_unfurl_url" : "cannot_unfurl_message");
  }
}

/** The message, or what somebody is writing. */
function targetOf(args: Arguments, call: Call): StoredMessage | StoredPreview {
  const { state } = call;
  const [id, source] = [text(args, "unfurl_id"), text(args, "source")];
  if (id !== undefined || source !== undefined) {
    if (id === undefined) throw new SlackError("missing_unfurl_id");
    if (source === undefined) throw new SlackError("missing_source");
    if (source !== "composer" && source !== "conversations_history") throw new SlackError("invalid_source");
    const place = state.unfurlIds.get(id);
    const target = place === undefined ? state.composed.get(id) : state.message(place.channel, place.ts);
    if (target === undefined || (place === undefined) !== (source === "composer")) {
      throw new SlackError("invalid_unfurl_id");
    }
    return target;
  }
  const [channel, ts] = [text(args, "channel"), text(args, "ts")];
  if (channel === undefined) throw new SlackError("missing_channel");
  if (ts === undefined) throw new SlackError("missing_ts");
  const written = channel === "COMPOSER" ? state.composed.get(ts) : undefined;
  if (written !== undefined) return written;
  if (!state.channels.has(channel)) throw new SlackError("cannot_find_channel");
  const message = state.message(channel, ts);
  if (message === undefined) throw new SlackError("cannot_find_message");
  return message;
}

/** What was there for the same addresses is replaced. */
function together(before: Added, { attachments, entities }: Added): Added {
  const addresses = new Set(attachments.map((one) => one["from_url"]));
  const objects = new Set(unfurledAddresses({ entities }));
  return {
    attachments: [...before.attachments.filter((one) => !addresses.has(one["from_url"])), ...attachments],
    entities: [...before.entities.filter((one) => !objects.has(String(one["app_unfurl_url"]))), ...entities],
  };
}
