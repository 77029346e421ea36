import type { Account } from "../world/accounts.ts";
import { isRecord, nullable, type Given, text, truth } from "./reading.ts";
import { json } from "./replies.ts";
import { reading, route, type Route } from "./routing.ts";
import type { World } from "../world/world.ts";

/** What anybody may ask, and what a key's owner may know and change. */
export function accountRoutes(world: World): Route[] {
  const { settings, accounts } = world;
  return [
    route("GET /health", { open: true }, () => json({ success: true, message: "ok", data: null })),
    route("GET /version", { open: true }, () => json({ backend_version: settings.version })),
    route("GET /auth/type", { open: true }, () =>
      json(
        {
          multi_tenant: false,
          requires_verification: false,
          anonymous_user_enabled: settings.allowAnonymous,
          password_min_length: 8,
          password_max_length: 64,
          password_require_uppercase: false,
          password_require_lowercase: false,
          password_require_digit: false,
          password_require_special_char: false,
          has_users: true,
          oauth_enabled: false,
          password_auth_enabled: true,
          sso_providers: [],
        },
        200,
        { "cache-control": "public, max-age=60" },
      ),
    ),
    route("GET /me", { unauthorized: true, scopes: ["read:chat", "write:chat", "read:search"] }, (call) => {
      const scopes = accounts.credentials.get(call.key ?? "")?.scopes;
      return json(meEntry(call.account, call.account === accounts.anonymous ? undefined : scopes));
    }),
    route(
      "PATCH /user/personalization",
      { in: { file: "manage/users.py", line: 1010, name: "update_user_personalization_api" } },
      reading(personalization, ({ memories, ...given }, { account }) => {
        const own = account.personalization;
        for (const [name, value] of Object.entries(given))
          if (value !== undefined) Object.assign(own, { [name]: value });
        if (memories !== undefined) {
          const kept = memories.filter(isRecord);
          own.memories = own.memories.filter((memory) => kept.some(({ id }) => id === memory.id));
          for (const { id, content } of kept)
            if (typeof id !== "number" && typeof content === "string") accounts.remember(account, content);
        }
        return json(null);
      }),
    ),
  ];
}

const personalization = {
  use_memories: nullable(truth),
  enable_memory_tool: nullable(truth),
  name: nullable(text),
  role: nullable(text),
  user_preferences: nullable(text),
  memories: ({ input }: Given): unknown[] | undefined => (Array.isArray(input) ? input : undefined),
};

function meEntry(account: Account, scopes: readonly string[] | undefined): Record<string, unknown> {
  const anonymous = account.accountType === "ANONYMOUS";
  const permissions = account.permissions.filter((one) => scopes === undefined || scopes.includes(one)).toSorted();
  return {
    id: account.id,
    email: account.email,
    is_active: true,
    is_superuser: false,
    is_verified: true,
    account_type: account.accountType,
    preferences: {
      chosen_assistants: null,
      hidden_assistants: [],
      visible_assistants: [],
      default_model: null,
      pinned_assistants: [],
      shortcut_enabled: anonymous ? null : false,
      auto_scroll: anonymous ? true : null,
      temperature_override_enabled: null,
      theme_preference: null,
      language: anonymous ? null : "en",
      chat_background: null,
      default_app_mode: "CHAT",
      paste_as_tile: anonymous ? null : false,
      voice_auto_send: anonymous ? null : false,
      voice_auto_playback: anonymous ? null : false,
      voice_playback_speed: anonymous ? null : 1,
      assistant_specific_configs: null,
    },
    personalization: account.personalization,
    token_expires_at: null,
    is_cloud_superuser: false,
    team_name: null,
    is_anonymous_user: anonymous ? true : null,
    password_configured: !anonymous,
    tenant_info: anonymous ? null : { invitation: null, new_tenant: null },
    effective_permissions: permissions,
    is_group_manager: false,
    admin_capabilities: permissions,
  };
}
