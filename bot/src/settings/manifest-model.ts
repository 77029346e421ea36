import * as z from "zod";

/**
 * An app manifest, with Slack's limits (read in the SDK's declarations and the documentation, November 2026;
 * docs/slack.md, section 10). Our own, since the SDK's types do not know agents yet. Only what this app uses may be set.
 */
const short = (most: number) => z.string().min(1).max(most);
const httpsUrl = z.string().refine((text) => URL.parse(text)?.protocol === "https:", {
  error: "must begin with https://",
});

const Prompt = z.strictObject({ title: short(75), message: short(2_000) });

const Shortcut = z.strictObject({
  type: z.enum(["message", "global"]),
  name: short(24),
  callback_id: short(255),
  description: short(150),
});

const SlashCommand = z.strictObject({
  command: short(32).startsWith("/"),
  description: short(2_000),
  usage_hint: short(1_000),
  should_escape: z.boolean(),
  url: httpsUrl.optional(),
});

const Shape = z.strictObject({
  display_information: z.strictObject({
    name: short(35),
    description: short(140),
    long_description: z.string().min(175).max(4_000),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  }),
  features: z.strictObject({
    agent_view: z.strictObject({ agent_description: short(300), suggested_prompts: z.array(Prompt).max(4) }).optional(),
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.strictObject({ display_name: short(80), always_online: z.boolean() }),
    shortcuts: z.array(Shortcut).max(10).optional(),
    slash_commands: z.array(SlashCommand).max(50).optional(),
  }),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(z.string()).min(1).max(255) }) }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: httpsUrl.optional(),
      bot_events: z.array(z.string()).min(1).max(100),
    }),
    interactivity: z.strictObject({ is_enabled: z.literal(true), request_url: httpsUrl.optional() }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
});

/** A manifest, checked against Slack's limits and for parts that do not go together. */
export const Manifest = Shape.superRefine((manifest, context) => {
  for (const message of contradictions(manifest)) context.addIssue({ code: "custom", message });
});
/** A manifest that Slack takes. */
export type Manifest = z.infer<typeof Manifest>;

/** Scopes an event is delivered for; events that need none are left out. */
const SCOPE_OF_EVENT: Readonly<Record<string, string>> = {
  app_mention: "app_mentions:read",
  "message.im": "im:history",
  "message.channels": "channels:history",
  "message.groups": "groups:history",
  "message.mpim": "mpim:history",
  pin_added: "pins:read",
  pin_removed: "pins:read",
  app_context_changed: "assistant:write",
  agent_session_stopped: "assistant:write",
  agent_session_title_changed: "assistant:write",
  member_joined_channel: "channels:read",
};

/** What each part allows alone, and Slack refuses together. */
function contradictions({ features, oauth_config, settings }: z.infer<typeof Shape>): string[] {
  const scopes = new Set(oauth_config.scopes.bot);
  const { bot_events: events, request_url: eventsUrl } = settings.event_subscriptions;
  const urls = [
    eventsUrl,
    settings.interactivity.request_url,
    ...(features.slash_commands ?? []).map(({ url }) => url),
  ];
  const found: string[] = [];
  for (const event of events) {
    const scope = SCOPE_OF_EVENT[event];
    if (scope !== undefined && !scopes.has(scope)) found.push(`the event ${event} needs the scope ${scope}`);
    if (event.startsWith("assistant_thread_")) found.push(`the event ${event} does not go with agent_view`);
  }
  if (features.agent_view !== undefined && !scopes.has("assistant:write")) {
    found.push("agent_view needs the scope assistant:write");
  }
  if ((features.shortcuts ?? features.slash_commands) !== undefined && !scopes.has("commands")) {
    found.push("shortcuts and slash commands need the scope commands");
  }
  if (settings.socket_mode_enabled && urls.some((url) => url !== undefined)) {
    found.push("with Socket Mode there is no request URL");
  }
  if (!settings.socket_mode_enabled && urls.includes(undefined)) {
    found.push("without Socket Mode events, interactions and commands each need a request URL");
  }
  if (scopes.size !== oauth_config.scopes.bot.length) found.push("a scope is named twice");
  if (new Set(events).size !== events.length) found.push("an event is named twice");
  return found;
}
