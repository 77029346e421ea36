import type { UserManifest } from "wxt";

/**
 * What extension pages may load and do. Nothing comes from elsewhere; requests go to https and to this machine, which
 * policies have no way to name by its IPv6 address (`reachableUrl` takes `localhost` for it); no
 * string becomes script but the address of the PDF reader's worker, by a policy of its own name.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self' https: http://127.0.0.1:* http://localhost:*",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types threadlore-pdf-worker",
].join("; ");

const GECKO_ID = "extension@threadlore.dev";

/** What WXT cannot read from the entrypoints, for `chrome`, `edge` or `firefox`. */
export function manifestOf(browser: string): UserManifest {
  const firefox = browser === "firefox";
  return {
    name: "__MSG_extension_name__",
    short_name: "Threadlore",
    description: "__MSG_extension_description__",
    default_locale: "en",
    permissions: [
      "activeTab",
      "scripting",
      "storage",
      "contextMenus",
      "alarms",
      "identity",
      // Firefox has a sidebar instead, and no permission of this name.
      ...(firefox ? [] : ["sidePanel" as const]),
    ],
    // The service a person names, and sites they allow one by one; asked for when they do, never before.
    optional_host_permissions: ["https://*/*", "http://*/*"],
    action: { default_title: "__MSG_action_title__", ...(firefox && { default_area: "navbar" as const }) },
    commands: {
      _execute_action: { suggested_key: { default: "Alt+Shift+Y" } },
      "ask-selection": { suggested_key: { default: "Alt+Shift+Q" }, description: "__MSG_command_ask__" },
      "keep-page": { suggested_key: { default: "Alt+Shift+K" }, description: "__MSG_command_keep__" },
    },
    content_security_policy: { extension_pages: PAGE_POLICY },
    ...(firefox
      ? {
          browser_specific_settings: {
            gecko: {
              id: GECKO_ID,
              strict_min_version: "142.0",
              // Pages a person keeps or asks about go to the service they named, and nowhere else.
              data_collection_permissions: { required: ["websiteContent"] },
            },
          },
        }
      : {
          // Checked against what the scripts use: `api-baselines.ts`.
          minimum_chrome_version: "126",
          storage: { managed_schema: "managed-policy.json" },
        }),
  };
}

/** The manifest while WXT serves the extension for work on it: its server hands out styles and pushes changes. */
export function servedManifestOf(browser: string): UserManifest {
  const policy = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline' http://localhost:*").replace(
    "connect-src 'self'",
    "connect-src 'self' ws://localhost:*",
  );
  return { ...manifestOf(browser), content_security_policy: { extension_pages: policy } };
}
