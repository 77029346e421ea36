import type { ServerFinding } from "@threadlore/client/diagnose";
import { failureWords } from "../knowledge-server/failure-words.ts";
import { bad, unsure, well } from "../knowledge-server/server-findings.ts";
import type { Config } from "../settings/config.ts";
import { eventsFor, type Feature, optionalScopesFor, scopesFor } from "../settings/manifest.ts";
import { platformError } from "../slack/read/people.ts";
import { createClients } from "../slack/transport/clients.ts";

/** Tries the tokens of a configuration, each with one call: nothing is posted, and no connection opened. */
export async function checkSlack(
  { slack, receiver }: Pick<Config, "slack" | "receiver">,
  features: readonly Feature[],
): Promise<ServerFinding[]> {
  const subscribed = `Compare Event Subscriptions in the app's settings: ${eventsFor(features).join(", ")}. Then mention the bot.`;
  return [
    ...(await checkBotToken(slack.botToken, features, slack.apiUrl)),
    receiver.kind === "socket" ? await checkAppToken(slack.appToken ?? "", slack.apiUrl) : SIGNING_SECRET,
    unsure("events", "Slack does not let an app read back which events it gets.", subscribed),
  ];
}

/** One call, not repeated; what fails is a finding, so nothing is logged. */
const having = (botToken: string, slackApiUrl: string | undefined) => createClients({ botToken, slackApiUrl }).posts;

/** Whose a bot token is, and whether it has the scopes of these features. */
export async function checkBotToken(
  token: string,
  features: readonly Feature[],
  apiUrl?: string,
): Promise<ServerFinding[]> {
  try {
    const reply = await having(token, apiUrl).auth.test();
    const evidence = `The bot is ${reply.user ?? "there"} (${reply.user_id ?? "?"}) in ${reply.team ?? "?"} (${reply.team_id ?? "?"}).`;
    return [well("bot token", evidence), ...scopeFindings(reply.response_metadata?.scopes, features)];
  } catch (error) {
    return [failed("bot token", error)];
  }
}

function scopeFindings(scopes: readonly string[] | undefined, features: readonly Feature[]): ServerFinding[] {
  const what = "scopes";
  if (scopes === undefined) return [unsure(what, "Slack did not say which scopes the token has.", "Ask a question.")];
  const isMissing = (scope: string): boolean => !scopes.includes(scope);
  // The rules name groups, or have messages searched: without these, what they say does not happen.
  const asked = optionalScopesFor(features.filter((one) => one === "groups" || one === "workspace_search"));
  const needed = [...scopesFor(features), ...asked];
  const missing = needed.filter(isMissing);
  const fix = "Update the app with what `threadlore-bot manifest` prints, then install it in the workspace again.";
  const left = optionalScopesFor(features).filter((scope) => isMissing(scope) && !asked.includes(scope));
  const leftOut = left.map((scope) => `${scope} (${WITHOUT_SCOPE[scope] ?? "what it is for"})`);
  return [
    missing.length === 0
      ? well(what, `All ${needed.length} that are needed are there.`)
      : bad(what, `Missing: ${missing.join(", ")}.`, fix),
    ...(left.length === 0
      ? []
      : [
          unsure(
            "optional scopes",
            `Left out at the installation: ${leftOut.join("; ")}.`,
            "Install the app again to add them, if that is missed.",
          ),
        ]),
  ];
}

/** What is not there without an optional scope. */
const WITHOUT_SCOPE: Readonly<Record<string, string>> = {
  "files:read": "attached files are not read",
  "users:read.email":
    "kept messages name their authors without an e-mail address, and anybody can agree to the link an account is connected by",
};

/** Asking for a socket's address opens none, so a running bot keeps its connections. */
export async function checkAppToken(token: string, apiUrl?: string): Promise<ServerFinding> {
  const what = "app-level token";
  try {
    await having(token, apiUrl).apps.connections.open();
    return well(what, "Socket Mode can connect.");
  } catch (error) {
    if (platformError(error) !== "missing_scope") return failed(what, error);
    const fix = "Make an app-level token with the scope connections:write (Basic Information).";
    return { ...failed(what, error), fix };
  }
}

const SIGNING_SECRET = unsure(
  "signing secret",
  "Only a request from Slack shows whether it is right.",
  "Press Verify at the request URL in the app's settings (Event Subscriptions) while the bot runs.",
);

/** A finding for what was thrown. */
export function failed(what: string, error: unknown): ServerFinding {
  const { what: words, fix } = failureWords(error);
  return bad(what, `${words.charAt(0).toUpperCase()}${words.slice(1)}.`, fix);
}
