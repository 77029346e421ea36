import type { Config } from "./config.ts";

/** Texts that must never be written anywhere, and everything that looks like one. */
export type Secrets = ReturnType<typeof createSecrets>;

/**
 * Forms of credentials (docs/threats.md, T30): tokens of Slack, of model providers, of this interface's servers; what
 * follows `Bearer`; the ticket of a socket's address; the password in a database's; the proof of itself (`token`) that the
 * platform puts into each body, and what a body lets its holder answer with.
 */
const FORMS: readonly [RegExp, string][] = [
  [/\bxox[a-z](?:\.xox[a-z])?-[\w.-]+/gi, "[hidden]"],
  [/\bxapp-[\w.-]+/gi, "[hidden]"],
  [/\bsk-[\w-]{8,}/g, "[hidden]"],
  [/\b(?:tl|on|dn|onyx|danswer)_[\w.-]{16,}/gi, "[hidden]"],
  [/\b(bearer)([ :=]+)[^\s"',;)}\]]+/gi, "$1$2[hidden]"],
  [/([?&](?:ticket|token|key|secret|code)=)[^&\s"']+/gi, "$1[hidden]"],
  [/(:\/\/[^\s:/@]*:)[^\s@/]+@/g, "$1[hidden]@"],
  [/(https:\/\/hooks\.slack\.com\/)[^\s"']+/g, "$1[hidden]"],
  // What somebody types into the form for their own token, which can look like anything.
  [
    /("account_token[^"\\]{0,40}\\{0,8}"\s{0,2}:\s{0,2}\{\\{0,8}"token\\{0,8}"\s{0,2}:\s{0,2}\{[^{}]{0,80}?\\{0,8}"value\\{0,8}"\s{0,2}:\s{0,2}\\{0,8}")(?:[^"\\]|\\{1,8}[^"])+/g,
    "$1[hidden]",
  ],
  // A member of what the platform sends, also where JSON stands in JSON.
  [
    /("(?:token|response_url|trigger_id|[a-z]{1,20}_(?:token|secret))\\{0,8}"\s{0,2}:\s{0,2}\\{0,8}")(?:[^"\\]|\\{1,8}\/)+/g,
    "$1[hidden]",
  ],
];

/** Shorter texts would hide ordinary words. */
const MIN_LENGTH = 6;

/** Hides these texts, where they are long enough to be secrets. */
export function createSecrets(texts: readonly (string | undefined)[]) {
  const secrets = texts.filter((text) => text !== undefined).filter(({ length }) => length >= MIN_LENGTH);
  // Also as JSON writes it, where that differs.
  const known = new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  return {
    /** The text without secrets: those given, and whatever has the form of a token or stands after `Bearer`. */
    without(text: string): string {
      let clean = text;
      for (const secret of known) clean = clean.replaceAll(secret, "[hidden]");
      for (const [form, instead] of FORMS) clean = clean.replaceAll(form, instead);
      return clean;
    },
  };
}

/** The secrets of a configuration: what no line of a log and no finding may show. */
export function secretsOf(
  config: Pick<Config, "slack" | "keys" | "database" | "outgoing" | "accountSecrets">,
): Secrets {
  const { slack, keys, database, outgoing, accountSecrets = [] } = config;
  const { botToken, appToken, signingSecret } = slack;
  const password = URL.parse(database)?.password ?? "";
  return createSecrets([
    botToken,
    appToken,
    signingSecret,
    keys.channel,
    keys.dm,
    keys.ingest,
    password,
    decoded(password),
    ...outgoing.proxies.secrets,
    ...accountSecrets,
  ]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
