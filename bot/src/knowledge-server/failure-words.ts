import { field, text } from "@threadlore/documents/slack";

/** What a failure is called where a person reads it. */
export interface FailureWords {
  /** What happened. */
  readonly what: string;
  /** What to do; empty where there is nothing to do but wait. */
  readonly fix: string;
  /** Trying again, unchanged, can help. */
  readonly transient: boolean;
}

const REINSTALL = "Install the app in the workspace again and set the new token.";
const INVITE = "Invite the bot to the channel (type /invite and its name there).";

/** Slack's words for a refusal (docs/slack.md, sections 2 to 9), and ours. */
const SLACK_WORDS: Readonly<Record<string, FailureWords>> = {
  not_authed: refusal("Slack received no token", "Set SLACK_BOT_TOKEN and SLACK_APP_TOKEN."),
  invalid_auth: refusal("Slack does not know this token", "Copy it again from the app's settings. " + REINSTALL),
  token_revoked: refusal("This token was revoked", REINSTALL),
  token_expired: refusal(
    "This token has expired",
    "Turn token rotation off in the app's settings (the manifest does), then install the app again.",
  ),
  account_inactive: refusal("The app was uninstalled or its account was switched off", REINSTALL),
  user_removed_from_team: refusal("The bot's account was removed from the workspace", REINSTALL),
  team_disabled: refusal("The workspace is switched off", "Ask the workspace's owner."),
  not_allowed_token_type: refusal(
    "This kind of token cannot be used here",
    "SLACK_BOT_TOKEN begins with xoxb-, SLACK_APP_TOKEN with xapp-.",
  ),
  missing_scope: refusal(
    "The app may not do this: a scope is missing",
    "Update the app with the manifest of `threadlore-bot manifest`, then install it again.",
  ),
  channel_not_found: refusal("The bot cannot see this channel", INVITE),
  not_in_channel: refusal("The bot is not in this channel", INVITE),
  is_archived: refusal("The channel is archived", ""),
  thread_not_found: refusal("The thread is gone", ""),
  message_not_found: refusal("The message is gone", ""),
  restricted_action: refusal("The workspace's settings forbid apps to post here", "Ask an owner of the workspace."),
  restricted_action_read_only_channel: refusal(
    "The channel is read-only for the bot",
    "Ask an owner of the workspace.",
  ),
  restricted_action_thread_locked: refusal("The thread is locked", ""),
  messages_tab_disabled: refusal(
    "Messages to the app are switched off",
    "Switch on its Messages Tab (App Home in the app's settings; the manifest does).",
  ),
  feature_not_enabled: refusal("The workspace does not have this feature", ""),
  unknown_method: refusal(
    "The address answers like Slack, and does not know this method",
    "Check SLACK_API_URL, or leave it out.",
  ),
  ratelimited: passing("Slack asks for a pause (rate limit)"),
  rate_limited: passing("Slack asks for a pause (rate limit)"),
  internal_error: passing("Slack had a fault of its own"),
  fatal_error: passing("Slack had a fault of its own"),
  service_unavailable: passing("Slack is out of service at the moment"),
  request_timeout: passing("Slack did not answer in time"),
};

/** Words of the system and of the database, where a connection could not be made. */
const SYSTEM_WORDS: Readonly<Record<string, FailureWords>> = {
  ECONNREFUSED: passing("nothing answers at that address", "Check the address, and whether the server runs."),
  ENOTFOUND: refusal("that name does not exist", "Check the address, and this machine's name service."),
  EAI_AGAIN: passing("the name could not be looked up", "Check this machine's name service and network."),
  ETIMEDOUT: passing("no answer came in time", "Check the network between this machine and that address."),
  ECONNRESET: passing("the connection was cut", "Check what stands between: a proxy, a firewall."),
  UND_ERR_CONNECT_TIMEOUT: passing("no connection could be made in time", "Check the network and the proxy."),
  EACCES: refusal("this account may not use that file", "Give the file or its folder to the account the bot runs as."),
  ENOENT: refusal("the file or its folder does not exist", "Check the path."),
  EADDRINUSE: refusal("another program has that port", "Choose another port, or stop the other program."),
  ...Object.fromEntries(
    ["SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"].map((code) => [
      code,
      refusal(
        "its certificate is signed by nobody this machine knows",
        "Name your company's certificate in THREADLORE_CA_FILE; `threadlore-bot doctor` says whose it is.",
      ),
    ]),
  ),
  ERR_SQLITE_ERROR: refusal(
    "the database file is damaged, or is none",
    "Restore it from a backup, or move it away: the bot then begins with an empty one.",
  ),
  // PostgreSQL: appendix A of its documentation.
  "28P01": refusal("the database refused the password", "Check DATABASE_URL."),
  "28000": refusal("the database does not admit this user", "Check DATABASE_URL and the server's pg_hba.conf."),
  "3D000": refusal("that database does not exist", "Create it: CREATE DATABASE … OWNER …"),
  "42501": refusal("the database user may not do this", "Make the bot's user the owner of its database."),
  "53300": passing("the database has no connection left", "Allow it more connections, or run fewer instances."),
  "57P03": passing("the database is starting up"),
};

function refusal(what: string, fix: string): FailureWords {
  return { what, fix, transient: false };
}

function passing(what: string, fix = "It is tried again."): FailureWords {
  return { what, fix, transient: true };
}

/**
 * A failure in plain words, whatever was thrown: by Slack's client, by the server's, by the database, by the system.
 * Never holds a header, a body, a token or a text somebody wrote.
 */
export function failureWords(error: unknown): FailureWords {
  const slack = text(field(field(error, "data"), "error"));
  if (slack !== "") return SLACK_WORDS[slack] ?? refusal(`Slack refused: ${word(slack)}`, "");
  const outcome = text(field(error, "outcome"));
  // The client's own errors are written for people.
  if (outcome !== "") {
    const transient = outcome === "unavailable" || outcome === "rate_limited" || outcome === "retryable";
    return { what: text(field(error, "message")), fix: "", transient };
  }
  const retryAfter = field(error, "retryAfter");
  if (typeof retryAfter === "number") return passing(`Slack asks for a pause of ${retryAfter} s (rate limit)`);
  const status = field(error, "statusCode");
  if (typeof status === "number") return passing(`It answered with HTTP ${status}`);
  const system = systemWords(error);
  if (system !== undefined) return system;
  const name = word(text(field(error, "name"))) || "unknown";
  return refusal(`something unexpected happened (${name})`, "Please report it.");
}

/** SDKs wrap what the system said in errors of their own, several deep. */
function systemWords(error: unknown, depth = 0): FailureWords | undefined {
  const found = SYSTEM_WORDS[text(field(error, "code"))] ?? proxyWords(error);
  if (found !== undefined || depth > 4) return found;
  const inside = field(error, "cause") ?? field(error, "original") ?? field(field(error, "errors"), "0");
  return inside === undefined ? undefined : systemWords(inside, depth + 1);
}

/** What is wrong with a proxy is told by whoever went through it. */
function proxyWords(error: unknown): FailureWords | undefined {
  const code = text(field(error, "code"));
  if (!code.startsWith("PROXY_")) return undefined;
  return { what: text(field(error, "what")), fix: text(field(error, "fix")), transient: PASSING_OF_PROXY.has(code) };
}

/** What is wrong with a proxy and may pass by itself. */
const PASSING_OF_PROXY: ReadonlySet<string> = new Set(["PROXY_UNREACHABLE", "PROXY_SILENT", "PROXY_FAILED"]);

/** A machine's word, or nothing: a proxy's page can stand where Slack's word should. */
function word(value: string): string {
  return /^[\w.:-]{1,80}$/.test(value) ? value : "";
}
