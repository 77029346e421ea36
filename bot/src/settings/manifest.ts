import * as z from "zod";

/** Names under which shortcuts and the command arrive. */
export const CALLBACKS = {
  askAbout: "ask_message",
  addToKnowledge: "ingest_message",
  whyNoAnswer: "why_message",
  ask: "ask_global",
  command: "/ask",
  search: "search",
  searchFilters: "search_filters",
} as const;

/** What a manifest is made for. */
export interface ManifestOptions {
  /** What the app is called; at most 35 characters. Default Threadlore. */
  readonly name?: string;
  readonly features: readonly Feature[];
  /** Public address events are posted to; absent: Socket Mode. */
  readonly requestUrl?: string;
  /** Domains whose links get a preview, at most five; only with the feature `previews`. */
  readonly domains?: readonly string[];
  /** Public address Slack's assistant asks at; only with the feature `assistant`. */
  readonly assistantUrl?: string;
}

/** A manifest that cannot be made from these options; `message` says why. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
}

/** Answering mentions and direct messages, with the thread read and its names resolved. */
const BASE_SCOPES = [
  "app_mentions:read",
  "chat:write",
  "im:history",
  "im:read",
  "im:write",
  "channels:read",
  "channels:history",
  "groups:read",
  "groups:history",
  "mpim:read",
  "mpim:history",
  "users:read",
];
const BASE_EVENTS = [
  "app_mention",
  "message.im",
  "member_joined_channel",
  "channel_shared",
  "channel_unshared",
  "channel_archive",
  "channel_unarchive",
  "group_archive",
  "group_unarchive",
  "app_uninstalled",
  "tokens_revoked",
];

const MESSAGE_EVENTS = ["message.channels", "message.groups", "message.mpim"];

/** What an app can do besides answering mentions and direct messages: in words, and what that costs. */
export const FEATURES = {
  agent: {
    words: "its own conversation with suggested prompts and a Stop button; guests cannot use such apps",
    scopes: ["assistant:write"],
    events: ["app_home_opened", "app_context_changed", "agent_session_stopped", "agent_session_title_changed"],
  },
  follow_ups: { words: "questions in threads and channels without a mention", scopes: [], events: MESSAGE_EVENTS },
  // Edits and deletions of pinned messages arrive as messages.
  pins: {
    words: "pinned messages become documents",
    scopes: ["pins:read", "reactions:write"],
    optional: ["users:read.email"],
    events: ["pin_added", "pin_removed", ...MESSAGE_EVENTS],
  },
  shortcuts: { words: "Ask about this, Add to knowledge, Why no answer?", scopes: ["commands"], events: [] },
  command: { words: "the slash command /ask", scopes: ["commands"], events: [] },
  files: { words: "attached files are read", scopes: [], events: [], optional: ["files:read"] },
  home: {
    words: "a page with rules, pins, budgets and refusals, where people connect their own account",
    scopes: [],
    events: ["app_home_opened", "user_change"],
    // Nobody with another address can agree to a link.
    optional: ["users:read.email"],
  },
  groups: { words: "rules that name user groups", scopes: [], events: [], optional: ["usergroups:read"] },
  search: {
    words: "documents among the results of Slack's own search, where the plan has it",
    scopes: [],
    events: ["function_executed", "entity_details_requested"],
  },
  previews: {
    words: "previews of links to documents; needs --previews",
    scopes: ["links:read", "links:write"],
    events: ["link_shared", "entity_details_requested"],
  },
  assistant: {
    words: "Slack's own assistant may ask; needs --assistant",
    scopes: ["mcp:connect"],
    events: [],
  },
  workspace_search: {
    words: "messages of public channels as material for answers, where the rules turn it on",
    scopes: [],
    events: [],
    optional: ["search:read.public"],
  },
} as const;

/** One of {@link FEATURES}. */
export type Feature = keyof typeof FEATURES;

/** Every feature, in the order they are listed. */
export const ALL_FEATURES = Object.keys(FEATURES) as readonly Feature[];

/** What an app has only where somebody asks for it: not every plan of the platform has these places. */
export const ASKED_FOR: readonly Feature[] = ["search", "previews", "assistant", "workspace_search"];

/** Bot scopes needed for these features: no more than that. */
export function scopesFor(features: readonly Feature[]): string[] {
  return sorted([...BASE_SCOPES, ...features.flatMap((feature) => FEATURES[feature].scopes)]);
}

/** Bot scopes these features use that whoever installs the app may leave out: without one, what it is for is missing. */
export function optionalScopesFor(features: readonly Feature[]): string[] {
  const ofEach = features.map((feature) => FEATURES[feature]);
  return sorted(ofEach.flatMap((one) => ("optional" in one ? one.optional : [])));
}

/** Events needed for these features. */
export function eventsFor(features: readonly Feature[]): string[] {
  return sorted([...BASE_EVENTS, ...features.flatMap((feature) => FEATURES[feature].events)]);
}

const sorted = (words: readonly string[]): string[] => [...new Set(words)].toSorted();

const called = (most: number) => z.string().min(1).max(most);
const httpsUrl = z
  .string()
  .refine((text) => URL.parse(text)?.protocol === "https:", { error: "must begin with https://" })
  .optional();

const domain = z.string().regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/, {
  error: "must be a domain such as wiki.example.com, without https:// and without a path",
});

/** What the options decide of a manifest, with Slack's limits (docs/slack.md, section 10). The rest is the same always. */
const Decided = z.object({
  display_information: z.object({ name: called(35) }),
  features: z.object({
    bot_user: z.object({ display_name: called(80) }),
    slash_commands: z.array(z.object({ url: httpsUrl })).optional(),
    unfurl_domains: z.array(domain).min(1, { error: "name at least one domain" }).max(5).optional(),
  }),
  settings: z.object({
    event_subscriptions: z.object({ request_url: httpsUrl }),
    interactivity: z.object({ request_url: httpsUrl }),
  }),
  mcp_servers: z
    .object({
      threadlore: z.object({ url: z.string().max(500).startsWith("https://", { error: "must begin with https://" }) }),
    })
    .optional(),
});

/** A manifest of the app. */
export type Manifest = ReturnType<typeof createManifest>;

/** Makes the manifest of a customer's own app. Throws ManifestError for options no app can have. */
export function createManifest(options: ManifestOptions) {
  const { name = "Threadlore", features, requestUrl, domains = [], assistantUrl = "" } = options;
  const has = (feature: Feature): boolean => features.includes(feature);
  const optional = optionalScopesFor(features);
  const address = { request_url: requestUrl };
  const manifest = {
    display_information: {
      name,
      description: "Answers questions from your company's knowledge, with sources",
      long_description:
        "Ask in a channel, in a thread or in a direct message; the answer comes from the documents your company " +
        "has added, names each source, and says so when there is none. Answers are written by a language model: " +
        "check what matters. Messages become documents only where a channel has opted in, and only when somebody " +
        "pins them or adds them on purpose.",
      background_color: "#1d3a4f",
    },
    features: {
      ...(has("agent") && { agent_view: AGENT_VIEW }),
      app_home: {
        home_tab_enabled: has("home"),
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: name, always_online: true },
      ...(has("shortcuts") && {
        shortcuts: SHORTCUTS.filter(({ callback_id: id }) => has("pins") || id !== CALLBACKS.addToKnowledge),
      }),
      ...(has("command") && { slash_commands: [{ ...SLASH_COMMAND, url: requestUrl }] }),
      ...(has("previews") && { unfurl_domains: [...domains] }),
      ...((has("search") || has("previews")) && { rich_previews: RICH_PREVIEWS }),
      ...(has("search") && { search: SEARCH }),
    },
    oauth_config: {
      scopes: {
        bot: scopesFor(features),
        // Whoever installs the app can leave them out.
        ...(optional.length > 0 && { bot_optional: optional }),
      },
    },
    settings: {
      event_subscriptions: { ...address, bot_events: eventsFor(features) },
      interactivity: { is_enabled: true, ...address },
      // An app that is searched has to be one an organisation can have as a whole.
      org_deploy_enabled: has("search"),
      socket_mode_enabled: requestUrl === undefined,
      token_rotation_enabled: false,
      ...(has("search") && { function_runtime: "remote" }),
    },
    ...(has("search") && { functions: SEARCH_FUNCTIONS }),
    ...(has("assistant") && {
      mcp_servers: { threadlore: { url: assistantUrl, auth_type: "slack_identity_auth" } },
    }),
  };
  const checked = Decided.safeParse(manifest);
  if (checked.success) return manifest;
  const problems = checked.error.issues.map(({ path, message }) =>
    [path.join("."), message].filter(Boolean).join(": "),
  );
  throw new ManifestError(`Slack would refuse this manifest: ${problems.join("; ")}`);
}

/** Without questions to begin with: which ones can be answered is known only when somebody is there to ask them. */
const AGENT_VIEW = { agent_description: "Answers questions from your company's knowledge and names its sources." };

const RICH_PREVIEWS = { is_active: true, entity_types: ["slack#/entities/content_item"] };

const SEARCH = {
  search_function_callback_id: CALLBACKS.search,
  search_filters_function_callback_id: CALLBACKS.searchFilters,
};

const parameter = (name: string, type: string, title: string, description: string, isNeeded = true) => ({
  [name]: { type, title, description, is_required: isNeeded, name },
});

const SEARCHER = parameter("user_context", "slack#/types/user_context", "Who searches", "Whose rights count");

const SEARCH_FUNCTIONS = {
  [CALLBACKS.search]: {
    title: "Search the knowledge",
    description: "Finds documents that whoever searches may read",
    input_parameters: {
      ...parameter("query", "string", "Query", "What is searched for"),
      ...parameter("filters", "object", "Filters", "What was chosen to narrow it", false),
      ...SEARCHER,
    },
    output_parameters: parameter("search_results", "slack#/types/search_results", "Results", "Documents, best first"),
  },
  [CALLBACKS.searchFilters]: {
    title: "Filters of the search",
    description: "What a search can be narrowed by",
    input_parameters: SEARCHER,
    output_parameters: {
      ...parameter("filter", "slack#/types/search_filters", "Filters", "Document sets to choose between"),
      ...parameter("filters", "slack#/types/search_filters", "Filters", "The same, by its other name", false),
    },
  },
};

function shortcut(type: "message" | "global", name: string, callback_id: string, description: string) {
  return { type, name, callback_id, description };
}

const SHORTCUTS = [
  shortcut("message", "Ask about this", CALLBACKS.askAbout, "Asks a question about this message and its thread"),
  shortcut("message", "Add to knowledge", CALLBACKS.addToKnowledge, "Keeps this message and its thread as a document"),
  shortcut("message", "Why no answer?", CALLBACKS.whyNoAnswer, "Shows why this message was or was not answered"),
  shortcut("global", "Ask", CALLBACKS.ask, "Asks a question"),
];

const SLASH_COMMAND = {
  command: CALLBACKS.command,
  description: "Asks your company's knowledge; only you see the answer until you share it",
  usage_hint: "How many days of leave do I have?",
  should_escape: true,
};
