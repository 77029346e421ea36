import { z } from "zod";
import { parseJson } from "../fields.ts";
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
      unfurl_domains: z.array(z.string()).max(5).optional(),
    })
    .optional(),
  oauth_config: z
    .looseObject({
      redirect_urls: z.array(z.url()).max(1000).optional(),
      scopes: z.looseObject({ bot: z.array(z.string()).max(255).optional() }).optional(),
    })
    .optional(),
  settings: z
    .looseObject({
      event_subscriptions: z.looseObject({ bot_events: z.array(z.string()).max(100).optional() }).optional(),
    })
    .optional(),
});

/** The method that judges a manifest. */
export const manifestMethods: Methods = {
  "apps.manifest.validate": method({ tier: 3, token: "none" }, (args) => {
    const given = typeof args["manifest"] === "string" ? parseJson(args["manifest"]) : args["manifest"];
    const parsed = manifest.safeParse(given);
    if (parsed.success) return { errors: [] };
    const errors = parsed.error.issues.map(({ message, path }) => ({ message, pointer: `/${path.join("/")}` }));
    throw new SlackError("invalid_manifest", { errors });
  }),
};
