import { z } from "zod";
import { parseJson } from "../fields.ts";
import { ENTITY_TYPES } from "../validator/entities.ts";
import { method, SlackError, type Methods } from "./method.ts";

const command = z.looseObject({
  command: z.string().regex(/^\//).max(32),
  description: z.string().min(1).max(2000),
  usage_hint: z.string().max(1000).optional(),
});
const shortcut = z.looseObject({
  type: z.enum(["message", "global"]),
  name: z.string().min(1).max(24),
  callback_id: z.string().min(1).max(255),
  description: z.string().min(1).max(150),
});

const parameter = z.looseObject({ type: z.string().min(1), title: z.string().min(1), name: z.string().optional() });

/** Parameters by their name; the second version of manifests has them one level deeper. */
const parameters = z.union([
  z.looseObject({ properties: z.record(z.string(), z.looseObject({ type: z.string().min(1) })) }),
  z.record(z.string(), parameter),
]);

const appFunction = z.looseObject({
  title: z.string().min(1),
  description: z.string().min(1),
  input_parameters: parameters,
  output_parameters: parameters,
});

/** Neither a top-level domain alone nor an address, and without a protocol or a path. */
const domain = z
  .string()
  .regex(
    /^(?=.*[a-z])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i,
    "is no domain, such as wiki.example.com",
  );

/** A server of the Model Context Protocol that Slack's assistant asks. */
const assistantServer = z.looseObject({
  url: z.string().startsWith("https://").max(500),
  auth_type: z.enum(["no_auth", "slack_identity_auth", "manual_auth", "dynamic_client_registration"]),
});

/** What Slack checks of a manifest, as far as its limits are known. */
const manifest = z.looseObject({
  display_information: z.looseObject({
    name: z.string().min(1).max(35),
    description: z.string().max(140).optional(),
    long_description: z.string().min(175).max(4000).optional(),
  }),
  features: z
    .looseObject({
      agent_view: z.looseObject({ agent_description: z.string().max(300) }).optional(),
      bot_user: z.looseObject({ display_name: z.string().min(1).max(80) }).optional(),
      shortcuts: z.array(shortcut).max(10).optional(),
      slash_commands: z.array(command).max(50).optional(),
      unfurl_domains: z.array(domain).max(5).optional(),
      rich_previews: z
        .looseObject({ is_active: z.boolean(), entity_types: z.array(z.enum(ENTITY_TYPES)).optional() })
        .optional(),
      search: z
        .strictObject({
          search_function_callback_id: z.string().min(1),
          search_filters_function_callback_id: z.string().min(1).optional(),
        })
        .optional(),
    })
    .optional(),
  oauth_config: z
    .looseObject({
      redirect_urls: z.array(z.url()).max(1000).optional(),
      scopes: z
        .looseObject({
          bot: z.array(z.string()).max(255).optional(),
          bot_optional: z.array(z.string()).max(255).optional(),
        })
        .optional(),
    })
    .optional(),
  functions: z.record(z.string(), appFunction).optional(),
  mcp_servers: z
    .record(z.string(), assistantServer)
    .refine((servers) => Object.keys(servers).length <= 20, "names more than 20 servers")
    .optional(),
  settings: z
    .looseObject({
      event_subscriptions: z.looseObject({ bot_events: z.array(z.string()).max(100).optional() }).optional(),
      org_deploy_enabled: z.boolean().optional(),
      function_runtime: z.string().optional(),
    })
    .optional(),
});

type Manifest = z.infer<typeof manifest>;

interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** What a search needs besides its own entry (Developing apps with Enterprise Search features). */
function searchProblems({ features, functions = {}, settings }: Manifest): Problem[] {
  const search = features?.search;
  if (search === undefined) return [];
  const problem = (isWrong: boolean, pointer: string, message: string): Problem[] =>
    isWrong ? [{ pointer, message }] : [];
  const ofFunction = (id: string | undefined, entry: string, type: string): Problem[] => {
    if (id === undefined) return [];
    const written = functions[id];
    if (written === undefined)
      return [{ pointer: `/features/search/${entry}`, message: `no function is called ${id}` }];
    const hasOutput = Object.values(propertiesOf(written.output_parameters)).some((one) => one.type === type);
    return problem(!hasOutput, `/functions/${id}/output_parameters`, `one of the type ${type} is needed`);
  };
  const events = settings?.event_subscriptions?.bot_events ?? [];
  return [
    ...ofFunction(search.search_function_callback_id, "search_function_callback_id", "slack#/types/search_results"),
    ...ofFunction(
      search.search_filters_function_callback_id,
      "search_filters_function_callback_id",
      "slack#/types/search_filters",
    ),
    ...problem(!events.includes("function_executed"), "/settings/event_subscriptions", "function_executed is needed"),
    ...problem(settings?.org_deploy_enabled !== true, "/settings/org_deploy_enabled", "a search needs it to be true"),
    ...problem(settings?.function_runtime !== "remote", "/settings/function_runtime", "must be remote"),
  ];
}

function propertiesOf(given: z.infer<typeof parameters>): Record<string, { type: string }> {
  const { properties } = given;
  return (properties === undefined ? given : properties) as Record<string, { type: string }>;
}

/** What hearing of links needs. */
function previewProblems({ features, oauth_config: oauth, settings }: Manifest): Problem[] {
  if ((features?.unfurl_domains ?? []).length === 0) return [];
  const { bot = [], bot_optional: optional = [] } = oauth?.scopes ?? {};
  const events = settings?.event_subscriptions?.bot_events ?? [];
  const missing = ["links:read", "links:write"].filter((scope) => ![...bot, ...optional].includes(scope));
  return [
    ...missing.map((scope) => ({ pointer: "/oauth_config/scopes/bot", message: `unfurl_domains need ${scope}` })),
    ...(events.includes("link_shared")
      ? []
      : [{ pointer: "/settings/event_subscriptions", message: "unfurl_domains need link_shared" }]),
  ];
}

/** The method that judges a manifest. */
export const manifestMethods: Methods = {
  "apps.manifest.validate": method({ tier: 3, token: "none" }, (args) => {
    const given = typeof args["manifest"] === "string" ? parseJson(args["manifest"]) : args["manifest"];
    const parsed = manifest.safeParse(given);
    const errors = parsed.success
      ? [...searchProblems(parsed.data), ...previewProblems(parsed.data)]
      : parsed.error.issues.map(({ message, path }) => ({ message, pointer: `/${path.join("/")}` }));
    if (errors.length === 0) return { errors: [] };
    throw new SlackError("invalid_manifest", { errors });
  }),
};
