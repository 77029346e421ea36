import { ClientError, UnsupportedError } from "@threadlore/client";
import { accountOf, createDeployment, type Deployment, permissionsOf } from "@threadlore/client/deployment";
import { createGaps } from "@threadlore/client/gaps";
import { diagnose, type DiagnoseOptions, type ServerFinding } from "@threadlore/client/diagnose";
import { type Destination, lookAtWays } from "@threadlore/outgoing";
import type { Config } from "../settings/config.ts";
import { checkDatabase } from "@threadlore/inbox";
import { failureWords } from "../knowledge-server/failure-words.ts";
import type { Rules } from "../rules/rules.ts";
import type { Settings } from "../rules/settings.ts";
import type { ReadRules } from "../rules/rules-file.ts";
import { bad, memoryFindings, namedKeys, unsure, well } from "../knowledge-server/server-findings.ts";
import { createAddress } from "../knowledge-server/servers.ts";
import type { Feature } from "../settings/manifest.ts";
import { gapsFinding } from "./gaps-finding.ts";
import { checkSlack, failed } from "./slack-findings.ts";

/** How long one call to the server may take, milliseconds: somebody is waiting. */
const PATIENCE_MS = 10_000;

/**
 * Tries what the bot needs, in the order things go wrong: the ways to Slack and the server, Slack's tokens and scopes, the
 * server with each key, the pair, the database, the rules. Nothing is posted, stored or taken over. Whatever fails is a
 * finding; only an aborted signal throws.
 */
export async function examine(config: Config, rules: ReadRules, signal?: AbortSignal): Promise<ServerFinding[]> {
  const ways = await lookAtWays(destinationsOf(config), config.outgoing, { timeoutMs: PATIENCE_MS, signal });
  const slack = await checkSlack(config, featuresInUse(config, rules.rules));
  const server = await checkServer(config, rules.rules, signal);
  return [...ways, ...slack, ...server, ownAccounts(config), await database(config), ...ruleFindings(config, rules)];
}

/** What the bot calls. Slack's sockets and files have names of their own, which NO_PROXY may treat otherwise. */
function destinationsOf({ slack, receiver, server }: Config): Destination[] {
  const ofSlack: Destination[] = [
    { name: "Slack", url: slack.apiUrl ?? "https://slack.com/api/" },
    ...(slack.apiUrl === undefined ? [{ name: "Slack's files", url: "https://files.slack.com/" }] : []),
    ...(slack.apiUrl === undefined && receiver.kind === "socket"
      ? [{ name: "Slack's sockets", url: "wss://wss-primary.slack.com/" }]
      : []),
  ];
  return [...ofSlack, { name: "the knowledge server", url: server.baseUrl }];
}

/** The features this configuration uses: which scopes and events it takes. */
function featuresInUse({ keys }: Pick<Config, "keys">, rules: Rules): Feature[] {
  const places = placesOf(rules);
  const namesGroups = ({ who_may_ask: who }: Settings): boolean =>
    who !== "everyone" && who.some((one) => one.startsWith("S"));
  const listens = ({ follow_ups: followUps, listen }: Settings): boolean => followUps !== "off" || listen === "eager";
  const features: Feature[] = ["files", "shortcuts", "command", "home"];
  if (places.some(listens)) features.push("follow_ups");
  if (keys.ingest !== undefined && pinsOf(rules).length > 0) features.push("pins");
  if ([...places, rules.directMessages].some(namesGroups)) features.push("groups");
  if ([...places, rules.directMessages].some((one) => one.workspace_search !== "off"))
    features.push("workspace_search");
  return features;
}

async function checkServer(config: Config, rules: Rules, signal: AbortSignal | undefined): Promise<ServerFinding[]> {
  const { keys, pair } = config;
  const connection = await connectionOf(config);
  const deploymentOf = (apiKey: string) =>
    createDeployment({ ...connection, apiKey, timeouts: { firstByteMs: PATIENCE_MS }, retries: { retries: 0 } });
  const looked = async (
    name: string,
    apiKey: string,
    more: Partial<DiagnoseOptions> = {},
  ): Promise<ServerFinding[]> => {
    const found = await diagnose({ ...connection, apiKey, needs: ["ask"], signal, ...more });
    // Of every key is said below what its account remembers.
    return found.filter(({ what }) => what !== "memory").map((finding) => ofKey(finding, name));
  };
  // The address and the clock are judged with the first key.
  const isOfKey = ({ what }: ServerFinding): boolean => what !== "base URL" && what !== "clock";
  const findings = await looked("channel key", keys.channel);
  // Without the server nothing else about it can be found out.
  if (findings.some(({ what, ok }) => what === "base URL" && ok === false)) return findings;
  const asked = deploymentOf(keys.channel);
  findings.push(await channelKeyFinding(asked), ...(await namesFindings(asked, rules)));
  for (const named of namedKeys(keys)) {
    const me = await deploymentOf(named.key)
      .whoami()
      .catch(() => undefined);
    // Why it did not say is a finding already.
    if (me !== undefined && !accountOf(me).anonymous) findings.push(...memoryFindings(named, me));
  }
  if (keys.dm !== undefined) {
    findings.push(...(await looked("key for direct messages", keys.dm)).filter(isOfKey));
    if (keys.dm === keys.channel) findings.push(SAME_KEY);
  }
  const patient = { timeouts: { firstByteMs: PATIENCE_MS }, retries: { retries: 0 } };
  findings.push(await gapsFinding(createGaps({ ...connection, ...patient, apiKey: keys.ingest ?? keys.channel })));
  const pins = pinsOf(rules);
  if (keys.ingest === undefined) return pins.length === 0 ? findings : [...findings, NO_INGEST_KEY];
  // Every pair documents can go to.
  const pairs = [...new Set([pair, ...pins.map((one) => one.pair)].filter((one) => typeof one === "number"))];
  for (const [index, ccPairId] of (pairs.length === 0 ? [undefined] : pairs).entries()) {
    const found = (await looked("ingest key", keys.ingest, { needs: ["ingest"], ccPairId })).filter(isOfKey);
    const about = found.filter(({ what }) => index === 0 || !what.startsWith("ingest key"));
    findings.push(...about.filter(({ what }) => what !== "pair" || ccPairId !== undefined));
  }
  if (pair === null) findings.push(NO_PAIR);
  else if (pair === undefined && pins.some((one) => one.pair === undefined)) findings.push(UNDECIDED_PAIR);
  return findings;
}

/** Where the server answers: the bot finds `/api` by itself. */
async function connectionOf(config: Config): Promise<Config["server"]> {
  const address = createAddress(config);
  await address.find();
  return { ...config.server, baseUrl: address.baseUrl };
}

/** What the key in every channel can do besides asking is what a mistake in a channel can do. */
async function channelKeyFinding(deployment: Deployment): Promise<ServerFinding> {
  const what = "rights of the channel key";
  const fix = "Have an ordinary key made that sees only what every channel may read, and set it as THREADLORE_KEY.";
  try {
    const { admin, ingest } = permissionsOf(await deployment.whoami());
    if (admin) {
      const evidence = "It is an administrator's: everyone in a channel would be answered from all documents.";
      return bad(what, evidence, fix);
    }
    if (ingest) return unsure(what, "It may ingest as well, which asking does not need.", fix);
    return well(what, "It may ask, and may not ingest.");
  } catch (error) {
    return unsure(what, `The server does not say: ${failureWords(error).what}`);
  }
}

const SAME_KEY = unsure(
  "key for direct messages",
  "It is the same as the channel key, so it changes nothing.",
  "Set a wider one, or leave THREADLORE_DM_KEY out.",
);

/** Document sets and personas the rules name, as the channel key sees them: a name nobody can see answers nothing. */
async function namesFindings(deployment: Deployment, rules: Rules): Promise<ServerFinding[]> {
  const places = placesOf(rules).filter(({ key }) => key === "channel");
  const sets = places.flatMap((place) => place.document_sets);
  const personas = places.flatMap(({ persona }) => persona ?? []);
  return [
    ...(await visibleFindings("document sets", sets, async () =>
      (await deployment.documentSets()).map(({ name }) => name),
    )),
    ...(await visibleFindings("personas", personas, async () => (await deployment.personas()).map(({ id }) => id))),
  ];
}

async function visibleFindings<Name extends string | number>(
  kind: string,
  names: readonly Name[],
  visible: () => Promise<readonly Name[]>,
): Promise<ServerFinding[]> {
  if (names.length === 0) return [];
  const what = `${kind} in the rules`;
  try {
    const known = new Set(await visible());
    const missing = [...new Set(names)].filter((name) => !known.has(name));
    if (missing.length === 0) return [well(what, "The channel key sees each of them.")];
    const fix = "Correct the rules, or have them shared with the account of the channel key.";
    return [bad(what, `The channel key does not see: ${missing.join(", ")}.`, fix)];
  } catch (error) {
    const isUnsupported = error instanceof UnsupportedError;
    const evidence = isUnsupported ? "The server does not list them." : `Not found out: ${failureWords(error).what}`;
    return [unsure(what, evidence, "Ask a question in a channel that names one.")];
  }
}

/** The settings of every channel, each once. */
const placesOf = ({ channels, otherChannels }: Rules): Settings[] => [otherChannels, ...channels.values()];

/** The settings of pins of every channel that keeps them. */
const pinsOf = (rules: Rules): Settings["pins"][] =>
  placesOf(rules).flatMap(({ pins }) => (pins.who === "off" ? [] : [pins]));

const NO_INGEST_KEY = bad(
  "ingest key",
  "The rules keep pinned messages, and no key is set that may ingest.",
  "Set THREADLORE_INGEST_KEY, or `pins: off` in the rules.",
);
const NO_PAIR = unsure(
  "pair",
  "None is named, on purpose: many servers then put documents where everyone can see them.",
);
const UNDECIDED_PAIR = bad(
  "pair",
  "It was never decided which pair kept messages belong to, so nothing is kept.",
  "Set THREADLORE_PAIR to its number, or to `none`.",
);

/** A finding of the client, with the key it is about and the setting that changes it. */
function ofKey(finding: ServerFinding, key: string): ServerFinding {
  const { what, ok, fix } = finding;
  const named = what === "key" ? key : what.startsWith("permission") || what === "ingestion" ? `${key}: ${what}` : what;
  return { ...finding, what: named, fix: ok === true ? fix : fixBySetting(finding) };
}

function fixBySetting({ what, fix, proposal }: ServerFinding): string {
  const ingestionPath = proposal?.profile?.ingestionPath;
  if (proposal?.baseUrl !== undefined) return `Set THREADLORE_URL=${proposal.baseUrl}`;
  if (ingestionPath !== undefined) return `Set THREADLORE_PROFILE='${JSON.stringify({ ingestionPath })}'`;
  return what === "pair" && fix !== "" ? "Set THREADLORE_PAIR to an existing pair." : fix;
}

function ownAccounts({ accountSecrets }: Config): ServerFinding {
  const what = "own accounts";
  if (accountSecrets !== undefined) return well(what, "People can connect their own on the bot's Home.");
  const evidence = "ACCOUNTS_SECRET is not set, so nobody can connect their own account.";
  return unsure(what, evidence, "`threadlore-bot setup` makes it, or `openssl rand -base64 32`.");
}

async function database({ database: url }: Config): Promise<ServerFinding> {
  const what = "database";
  try {
    return well(what, await checkDatabase(url));
  } catch (error) {
    const finding = failed(what, error);
    // Which file: a run by hand and a unit may mean different ones.
    const file = url.startsWith("sqlite:") ? ` (${url.slice("sqlite:".length)})` : "";
    return { ...finding, evidence: finding.evidence + file };
  }
}

function ruleFindings({ rulesFile }: Config, { rules, remarks }: ReadRules): ServerFinding[] {
  const what = "rules";
  const evidence =
    rulesFile === undefined
      ? "No RULES_FILE: the built-in rules hold. Members who mention the bot are answered; nothing is kept."
      : `${rulesFile} names ${rules.channels.size} channels.`;
  const fix = "Look at it once more; it is allowed, and widens who sees what, or has no effect.";
  return [well(what, evidence), ...remarks.map((remark) => unsure(what, remark, fix))];
}

/**
 * Switches the memory of every account the bot asks with off, on the knowledge server, and says of each key what came
 * of it. What is remembered already stays there, unused.
 */
export async function switchMemoryOff(config: Config, signal?: AbortSignal): Promise<ServerFinding[]> {
  const connection = await connectionOf(config);
  const findings: ServerFinding[] = [];
  for (const { name, key: apiKey } of namedKeys(config.keys)) {
    const deployment = createDeployment({ ...connection, apiKey });
    findings.push({ what: `${name}: switching its memory off`, fix: "", ...(await switchedOff(deployment, signal)) });
  }
  return findings;
}

/** Switches it off, and looks whether it is. */
async function switchedOff(
  deployment: Deployment,
  signal: AbortSignal | undefined,
): Promise<Pick<ServerFinding, "ok" | "evidence">> {
  const given = { signal };
  try {
    const before = accountOf(await deployment.whoami(given));
    if (before.anonymous) return { ok: false, evidence: "The server does not know it. Nothing was changed." };
    if (before.memory === "unknown") return { ok: true, evidence: "The server says nothing of a memory." };
    if (before.memory === "off") return { ok: true, evidence: "It was off already." };
    await deployment.setMemory(false, given);
    const isOff = accountOf(await deployment.whoami(given)).memory === "off";
    return isOff
      ? { ok: true, evidence: "It is off now. What is remembered already stays there, unused." }
      : { ok: false, evidence: "The server took it and says that it is still on. Switch it off there." };
  } catch (error) {
    if (error instanceof UnsupportedError) {
      return { ok: false, evidence: "The server does not let it be switched off this way. Switch it off there." };
    }
    if (!(error instanceof ClientError)) throw error;
    return { ok: false, evidence: failureWords(error).what };
  }
}
