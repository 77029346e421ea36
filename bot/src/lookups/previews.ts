import type { LinkSharedEvent, SlackEvent } from "@slack/types";
import { UnsupportedError } from "@threadlore/client";
import type { BotContext, Register } from "../context.ts";
import { tellAdminsOnce } from "../knowledge-server/server-trouble.ts";
import type { ChannelFacts, Decision } from "../rules/rules.ts";
import { platformError } from "../slack/read/people.ts";
import type { FoundDocument } from "./documents.ts";
import { createLinkDocuments, type LinkDocuments } from "./link-documents.ts";
import { rightsAlone, rightsIn } from "./rights.ts";
import { EXCERPT, previewBlocks, workObject } from "./work-object.ts";

/** Links of one message that are looked up. */
const MAX_LINKS = 5;
const PREVIEW_MS = 20_000;
/** Somebody looks at an empty pane; after three seconds the platform takes nothing any more. */
const DETAILS_MS = 2_500;
/** For so long a delivery that comes once more is known, milliseconds. */
const DELIVERY_MS = 3_600_000;

/** Previews of documents that links lead to, and what is shown when one is opened. */
export const registerPreviews: Register = (app, context) => {
  const documents = createLinkDocuments(context);
  const shows = { workObjects: true };
  app.event("link_shared", async ({ event, body }) => {
    // An edit, a refresh and a new message come as events of their own; the same event twice is one.
    const matter = `links:${body.event_id}`;
    if (!(await context.store.claimTurn(matter, { now: context.now(), periodMs: DELIVERY_MS }))) return;
    context.later("show previews", () => preview(context, event, { documents, shows }));
  });
  app.event("entity_details_requested", ({ event }) => {
    context.later("show a document", () => present(context, event, documents));
    return Promise.resolve();
  });
};

type EntityDetailsRequestedEvent = Extract<SlackEvent, { type: "entity_details_requested" }>;
type Allowed = Extract<Decision, { kind: "answer" }>;

async function preview(
  context: BotContext,
  event: LinkSharedEvent,
  { documents, shows }: { documents: LinkDocuments; shows: { workObjects: boolean } },
): Promise<void> {
  const { user, links, message_ts: ts, unfurl_id: unfurlId, source } = event;
  if (user === context.self.userId) return;
  const isWritten = source === "composer";
  const decision = await decideOnPreview(context, user, isWritten ? undefined : event.channel);
  if (decision === undefined || !(await isWithinMeasure(context, user))) return;
  const urls = links.slice(0, MAX_LINKS).map(({ url }) => url);
  const found = await documents.at(urls, decision, AbortSignal.timeout(PREVIEW_MS)).catch((error: unknown) => {
    if (!(error instanceof UnsupportedError)) throw error;
    return tellAdminsOnce(context, "previews without a search", NO_SEARCH);
  });
  const shown = [...(found ?? [])].map(([url, document]) => ({ url, document }));
  if (shown.length === 0) return;
  // A channel can be shared with another company meanwhile.
  if (!isWritten && (await decideOnPreview(context, user, event.channel)) === undefined) return;
  const target =
    isWritten && unfurlId !== undefined ? ({ unfurl_id: unfurlId, source } as const) : { channel: event.channel, ts };
  const call = { team: context.self.teamId, method: "chat.unfurl", ...(!isWritten && { channel: event.channel }) };
  const { chat } = context.clients.posts;
  const withBlocks = () => {
    const unfurls = Object.fromEntries(shown.map(({ url, document }) => [url, { blocks: previewBlocks(document) }]));
    return context.pacer.call(call, () => chat.unfurl({ ...target, unfurls }));
  };
  const failed = (error: unknown): Promise<void> => notShown(context, error);
  if (!shows.workObjects) return void (await withBlocks().catch(failed));
  const entities = shown.map(({ url, document }) => ({
    ...workObject(document, EXCERPT.below),
    app_unfurl_url: url,
  }));
  await context.pacer
    .call(call, () => chat.unfurl({ ...target, metadata: { entities } }))
    .catch((error: unknown) => {
      if (!NO_WORK_OBJECTS.has(platformError(error) ?? "")) return failed(error);
      shows.workObjects = false;
      return withBlocks().catch(failed);
    });
}

/** Messages of one person whose links are looked up, in so many milliseconds. */
const MAX_PREVIEWS = { most: 30, windowMs: 600_000 };

async function isWithinMeasure({ store, now }: BotContext, user: string): Promise<boolean> {
  return (await store.hit([{ name: `previews:${user}`, ...MAX_PREVIEWS }], now())).allowed;
}

/** The platform has no Work Objects here, or they are not switched on for the app. */
const NO_WORK_OBJECTS: ReadonlySet<string> = new Set([
  "feature_not_enabled",
  "invalid_metadata_format",
  "invalid_metadata_schema",
  "missing_unfurls",
]);

/** Nothing is shown: there is nothing any more to show it below, or the app may not. */
async function notShown(context: BotContext, error: unknown): Promise<void> {
  const word = platformError(error) ?? "";
  if (word === "missing_scope") return tellAdminsOnce(context, "previews", NO_SCOPE);
  if (!word.startsWith("cannot_") && word !== "invalid_unfurl_id") throw error;
}

const NO_SEARCH =
  "The knowledge server has no search of its own, and a preview is not worth a run of its model: links to documents have none. " +
  "Update the server to a version with a search, or make the app anew without --previews.";

const NO_SCOPE =
  "Slack tells me of links to documents, and I may not show previews of them: the app lacks the scope links:write. Make the " +
  "app anew from `threadlore-bot manifest --previews DOMAIN` and install it again.";

/**
 * With which rights a link is looked up: everybody in the channel reads what is found. `channel` undefined: somebody is
 * still writing and only they see it; where it will stand is not known, so it is what every channel may read.
 * Undefined: nothing is shown.
 */
async function decideOnPreview(context: BotContext, user: string, channel?: string): Promise<Allowed | undefined> {
  const facts = channel === undefined ? ANY_CHANNEL : await context.people.place(channel, { fresh: true });
  // A conversation the bot has no part in: what may be shown there nobody knows.
  if (facts === undefined) return undefined;
  const decision = await rightsIn(context, user, facts);
  if (decision.kind !== "answer") return undefined;
  // Where answers are for their asker alone, nothing is shown to everybody.
  return facts.kind !== "im" && decision.settings.answer === "ephemeral" ? undefined : decision;
}

const ANY_CHANNEL: ChannelFacts = { id: "", kind: "public", shared: false };

/** What somebody sees who opened a preview or a result of the search. Below a message everybody sees it afterwards. */
async function present(
  context: BotContext,
  event: EntityDetailsRequestedEvent,
  documents: LinkDocuments,
): Promise<void> {
  const { user, channel, trigger_id, entity_url: url } = event;
  const { clients, pacer, self } = context;
  const where = { team: self.teamId, method: "entity.presentDetails" };
  // Where a channel is named, others may see it, whether or not a message is.
  const decision = await (channel === undefined ? decideAlone(context, user) : decideOnPreview(context, user, channel));
  const shown = decision === undefined ? RESTRICTED : await looked(context, url, decision, documents);
  const said = "status" in shown ? { error: shown } : { metadata: ofRequest(shown, event) };
  await pacer.call(where, () => clients.posts.entity.presentDetails({ trigger_id, ...said }));
}

async function decideAlone(context: BotContext, user: string): Promise<Allowed | undefined> {
  const decision = await rightsAlone(context, user);
  return decision.kind === "answer" ? decision : undefined;
}

/** Why there is no document, in the platform's words or, where it has none, in ours. */
interface NotShown {
  readonly status: "restricted" | "not_found" | "timeout" | "custom";
  readonly custom_message?: string;
}
const RESTRICTED: NotShown = { status: "restricted" };
const ONLY_BY_LINK: NotShown = {
  status: "custom",
  custom_message: "The knowledge server has no search of its own, so nothing of this can be shown here. Open the link.",
};

async function looked(
  context: BotContext,
  url: string,
  rights: Allowed,
  documents: LinkDocuments,
): Promise<FoundDocument | NotShown> {
  try {
    const found = await documents.at([url], rights, AbortSignal.timeout(DETAILS_MS));
    return found.get(url) ?? { status: "not_found" };
  } catch (error) {
    if (error instanceof UnsupportedError) return ONLY_BY_LINK;
    context.log.warn("document not shown", { error });
    return { status: "timeout" };
  }
}

/** As the platform asked for it: by the name it knows it by. */
function ofRequest(document: FoundDocument, event: EntityDetailsRequestedEvent) {
  const object = workObject(document, EXCERPT.opened);
  return { ...object, url: event.entity_url, external_ref: event.external_ref ?? object.external_ref };
}
