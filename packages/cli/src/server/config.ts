import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  addressWords,
  type ResolvedBaseUrl,
  resolveBaseUrl,
  UnavailableError,
  WrongBaseUrlError,
} from "@threadlore/client";
import { delay } from "@threadlore/client/delay";
import {
  type DataFiles,
  dataFiles,
  findService,
  type RunningService,
  serviceIn,
  type SilentService,
  silentWords,
} from "../embedded/embedded.ts";
import { throwProblems, UsageError } from "../exit-codes.ts";
import { configFolder, dataFolder, readIfPresent, writePrivateFile } from "../folders.ts";
import { note, styled, type Terminal } from "../terminal/output.ts";

/** Where questions and documents go, and with which key. */
export interface Settings {
  /** Base URL as the person wrote it; the client finds out whether `/api` belongs behind it. */
  readonly url: string;
  /** Absent: the server is asked without a key. */
  readonly apiKey: string | undefined;
  /** Connector/credential pair of ingested documents; null: said aloud to be none; undefined: never decided. */
  readonly pair: number | null | undefined;
  /** Path of the ingestion operation, where it is not the specified one. */
  readonly ingestionPath: string | undefined;
  /** Files of the embedded service, where it is that and was found here. */
  readonly embedded?: DataFiles;
  /** Where it goes, for a person: the address, and how it came to be that. */
  readonly target: string;
}

/** Longest search for the service behind an address that was never logged in to, milliseconds. */
const PROBE_MS = 5_000;
/** Delays before a service that is away is looked for again, milliseconds: one that starts anew is back in a moment. */
const RETRY_MS: readonly number[] = [300, 900];
/** How soon a server has to be found away to be looked for again, milliseconds. */
const QUICK_MS = 1_000;

/** What is kept about one server. */
type SavedServer = Partial<Pick<Settings, "apiKey" | "pair" | "ingestionPath">>;

/** The config file. A key belongs to one server and is never sent to another. */
export interface Config {
  /** Address of the server that was logged in to last. */
  current?: string;
  servers: Record<string, SavedServer>;
}

/** What a command line may say about the server, and how to report. */
export interface ServerFlags {
  json?: boolean;
  url?: string;
  /** Data folder of an embedded service that runs on this machine. */
  data?: string;
}

/** Path of the config file. */
export function configPath(terminal: Terminal): string {
  return join(configFolder(terminal), "config.json");
}

/** A server somebody named: by a flag or by the environment. */
export type NamedServer =
  | { readonly url: string; readonly by: string }
  | { readonly data: string; readonly by: string };

/**
 * Settings from the flags (`--url` or `--data`), then the environment (THREADLORE_URL or THREADLORE_DATA), then the
 * server that was logged in to, then an embedded service that runs here: what is said for one command comes before what
 * was kept. What nobody named in this command is said on stderr. Throws one UsageError that lists every problem.
 * @param options `announce: false`: the command says the target itself; `isLenient`: it looks at the address itself
 */
export async function readSettings(
  terminal: Terminal,
  flags: ServerFlags = {},
  { announce = true, isLenient = false }: { announce?: boolean; isLenient?: boolean } = {},
): Promise<Settings> {
  const problems: string[] = [];
  const config = await readConfig(terminal, problems);
  const named = nameOf(terminal, flags, problems);
  const key = nonEmpty(terminal.env["THREADLORE_API_KEY"]);
  if (key !== undefined) checkKey(key, "THREADLORE_API_KEY", problems);
  const say = (target: string): void => {
    if (announce) note(terminal, styled(terminal.err, "dim", target));
  };
  const url = named === undefined ? config.current : "url" in named ? named.url : undefined;
  if (url !== undefined) {
    checkAddress(url, named?.by ?? "The address you logged in to", problems);
    throwProblems(problems);
    const own = belongsTo(terminal, url) ? key : undefined;
    const target = `Server ${serverName(url)} (${named?.by ?? "logged in"})`;
    if (named === undefined) say(target);
    return settingsFor(terminal, { url: await foundAddress(terminal, url, config, isLenient), target }, own, config);
  }
  throwProblems(problems);
  const running = await embeddedService(terminal, named);
  const target = `Embedded service ${running.url}, key in ${nearest(terminal, running.files.key)}`;
  say(target);
  const settings = settingsFor(terminal, { url: running.url, target }, key ?? running.apiKey, config);
  return { ...settings, embedded: running.files };
}

/** The server a flag or the environment names. Complains where that are two. */
export function nameOf({ env }: Terminal, flags: ServerFlags, problems: string[]): NamedServer | undefined {
  const named = (flag: string | undefined, option: string, variable: string) => {
    const text = flag ?? nonEmpty(env[variable]);
    return text === undefined ? undefined : { text, by: flag === undefined ? variable : option };
  };
  const url = named(flags.url, "--url", "THREADLORE_URL");
  const data = named(flags.data, "--data", "THREADLORE_DATA");
  const [byUrl, byData] = [flags.url !== undefined, flags.data !== undefined];
  if (url !== undefined && data !== undefined && byUrl === byData) {
    problems.push(
      `${url.by} and ${data.by} name two servers. Give only one of them: an address, or the data folder of a service that runs here.`,
    );
  }
  if (url !== undefined && (byUrl || !byData)) return { url: url.text, by: url.by };
  return data && { data: data.text, by: data.by };
}

/** The embedded service of the folder that was named, else the one that is found from here. */
async function embeddedService(terminal: Terminal, named: NamedServer | undefined): Promise<RunningService> {
  if (named === undefined || "url" in named) {
    return answering(await findService(terminal), NOTHING_CONFIGURED);
  }
  const files = dataFiles(dataFolder(terminal, named.data));
  return answering(
    await serviceIn(files),
    `No service with a key of yours runs on the data in ${files.folder} (${named.by}). Start it with \`threadlore serve --data ${files.folder}\`, which says what is missing.`,
  );
}

/** Throws UnavailableError for one that is there and does not answer, UsageError with `otherwise` where there is none. */
function answering(found: RunningService | SilentService | undefined, otherwise: string): RunningService {
  if (found === undefined) throw new UsageError(otherwise);
  if (found.isSilent === true) throw new UnavailableError(silentWords(found), false);
  return found;
}

/** Whether THREADLORE_API_KEY is for this address: it is not sent to another origin than THREADLORE_URL names. */
function belongsTo({ env }: Terminal, url: string): boolean {
  const named = nonEmpty(env["THREADLORE_URL"]);
  return named === undefined || URL.parse(named)?.origin === new URL(url).origin;
}

/** A path as short as it can be said from here. */
function nearest({ folder }: Terminal, path: string): string {
  const from = relative(folder, path);
  return from.startsWith("..") ? path : from;
}

const NOTHING_CONFIGURED =
  "No server is configured. Run `threadlore login URL` for a server you have, set THREADLORE_URL and " +
  "THREADLORE_API_KEY, or start the embedded service with `threadlore serve`.";

/**
 * Where the service behind an address answers, which may have been typed with or without `/api`; one that was logged in
 * to is known. Unless `isLenient`, throws UnavailableError where nothing answers, and WrongBaseUrlError where something
 * else does, such as a website.
 */
async function foundAddress(terminal: Terminal, url: string, config: Config, isLenient: boolean): Promise<string> {
  if (config.servers[serverName(url)] !== undefined) return url;
  const address = await resolved(terminal, url, isLenient ? [] : RETRY_MS);
  const { state, baseUrl, likely, why } = address;
  if (baseUrl !== undefined || isLenient) return likely;
  if (state === "not_a_service") {
    throw new WrongBaseUrlError(addressWords(address), { ...(why?.status !== undefined && { status: why.status }) });
  }
  // Which of two addresses is the service's is not known, and a key is sent to no other.
  if (state === "unreachable" && why !== undefined) throw why;
  return likely;
}

async function resolved(terminal: Terminal, url: string, delays: readonly number[]): Promise<ResolvedBaseUrl> {
  const begun = performance.now();
  const address = await resolveBaseUrl({
    baseUrl: url,
    allowPlainHttp: terminal.env["THREADLORE_ALLOW_HTTP"] === "1",
    signal: terminal.interrupted,
    timeoutMs: PROBE_MS,
  });
  const [delayMs, ...later] = delays;
  // What took long was waited for already.
  const isOver = address.state !== "unreachable" || performance.now() - begun > QUICK_MS;
  if (delayMs === undefined || isOver) return address;
  await delay(delayMs, terminal.interrupted);
  terminal.interrupted.throwIfAborted();
  return resolved(terminal, url, later);
}

function settingsFor(
  terminal: Terminal,
  { url, target }: Pick<Settings, "url" | "target">,
  key: string | undefined,
  config: Config,
): Settings {
  const saved = config.servers[serverName(url)] ?? {};
  const apiKey = key ?? saved.apiKey;
  if (apiKey !== undefined) terminal.hide(apiKey);
  const ingestionPath = nonEmpty(terminal.env["THREADLORE_INGESTION_PATH"]) ?? saved.ingestionPath;
  return { url, apiKey, pair: saved.pair, ingestionPath, target };
}

/** Adds a server to the config file and makes it the current one. */
export async function saveServer(terminal: Terminal, url: string, server: SavedServer): Promise<void> {
  const problems: string[] = [];
  const config = await readConfig(terminal, problems);
  throwProblems(problems);
  const name = serverName(url);
  const next: Config = { current: url, servers: { ...config.servers, [name]: { ...config.servers[name], ...server } } };
  await writePrivateFile(configPath(terminal), `${JSON.stringify(next, undefined, 2)}\n`);
}

/** Takes a server out of the config file. @param name see `serverName` */
export async function forgetServer(terminal: Terminal, name: string): Promise<void> {
  const problems: string[] = [];
  const { current, servers } = await readConfig(terminal, problems);
  throwProblems(problems);
  const rest = Object.fromEntries(Object.entries(servers).filter(([other]) => other !== name));
  const isCurrent = current !== undefined && serverName(current) === name;
  const next: Config = { ...(current !== undefined && !isCurrent && { current }), servers: rest };
  await writePrivateFile(configPath(terminal), `${JSON.stringify(next, undefined, 2)}\n`);
}

/** One name for all spellings of a server's address; conversations and journals are kept under it too. */
export function serverName(url: string): string {
  const parsed = new URL(url);
  return parsed.origin + parsed.pathname.replace(/\/+$/, "");
}

/** Complains about an address that is not one, or over which a key would travel in the open. */
export function checkAddress(url: string, where: string, problems: string[]): void {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) {
    problems.push(`${where} is not a web address: it should look like https://knowledge.example.com`);
    return;
  }
  if (parsed.username !== "" || parsed.password !== "") {
    problems.push(`${where} carries a user name or password; keys go into THREADLORE_API_KEY or \`threadlore login\``);
  }
}

/** What is kept of servers; complains where the file is damaged. */
export async function readConfig(terminal: Terminal, problems: string[]): Promise<Config> {
  const path = configPath(terminal);
  const text = await readIfPresent(path);
  if (text === undefined) return { servers: {} };
  await warnWhenReadable(terminal, path);
  try {
    return parseConfig(JSON.parse(text));
  } catch {
    problems.push(
      `The settings in ${path} are damaged. Repair the file, or delete it and run \`threadlore login URL\`.`,
    );
    return { servers: {} };
  }
}

function parseConfig(value: unknown): Config {
  const { current, servers } = asRecord(value);
  const config: Config = { servers: {} };
  if (typeof current === "string" && URL.canParse(current)) config.current = current;
  for (const [name, saved] of Object.entries(asRecord(servers))) config.servers[name] = parseServer(asRecord(saved));
  return config;
}

function parseServer({ apiKey, pair, ingestionPath }: Record<string, unknown>): SavedServer {
  return {
    ...(typeof apiKey === "string" && { apiKey }),
    ...((typeof pair === "number" || pair === null) && { pair }),
    ...(typeof ingestionPath === "string" && { ingestionPath }),
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("not an object");
  return value as Record<string, unknown>;
}

async function warnWhenReadable(terminal: Terminal, path: string): Promise<void> {
  if (process.platform === "win32") return;
  if (((await stat(path)).mode & 0o077) === 0) return;
  note(terminal, `Others on this machine can read ${path}, which holds keys. Run: chmod 600 ${path}`);
}

/** A key travels in a header, so it is printable and without spaces. Never shows the key. */
export function checkKey(key: string, where: string, problems: string[]): void {
  if (!/^[\u0021-\u007e]+$/.test(key)) {
    problems.push(`${where} holds a space, a line break or another character that no key has; copy the key again`);
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
