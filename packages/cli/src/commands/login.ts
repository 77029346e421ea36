import { hostname } from "node:os";
import { ClientError, DEFAULT_PROFILE, resolveBaseUrl } from "@threadlore/client";
import { diagnose, type ServerFinding } from "@threadlore/client/diagnose";
import { awaitKey, beginSignIn, endOwnKey, offersSignIn } from "@threadlore/client/sign-in";
import type { Command } from "commander";
import { checkAddress, checkKey, configPath, saveServer } from "../server/config.ts";
import { type Exit, EXIT_CODES, type ExitCause, throwProblems, UsageError } from "../exit-codes.ts";
import { jsonOption } from "./options.ts";
import { note, oneLine, type Terminal, writeJson } from "../terminal/output.ts";
import { parsePair } from "../ingest/pair-choice.ts";
import { findingText, typable } from "./doctor.ts";

interface LoginFlags {
  json?: boolean;
  pair?: string;
  withKey?: boolean;
}

/** `threadlore login`. */
export function addLoginCommand(program: Command, terminal: Terminal, exit: Exit): void {
  program
    .command("login")
    .summary("keep the address and key of a server")
    .description(
      "Checks a server and a key and keeps both, readable by you only. In a terminal you sign in with a browser, where " +
        "the server offers that. Otherwise the key comes from THREADLORE_API_KEY, from standard input, or from a prompt " +
        "that does not show it; never from the command line.",
    )
    .argument("<address>", "address of the server, with or without /api")
    .option("--pair <number>", "pair that ingested documents belong to from now on, or none")
    .option("--with-key", "ask for a key instead of signing in with a browser")
    .addOption(jsonOption())
    .action(async (address: string, flags: LoginFlags) => {
      exit.code = await runLogin(terminal, address, flags);
    });
}

async function runLogin(terminal: Terminal, address: string, flags: LoginFlags): Promise<number> {
  const problems: string[] = [];
  checkAddress(address, "The address", problems);
  const pair = flags.pair === undefined ? undefined : parsePair(flags.pair);
  throwProblems(problems);
  const { apiKey, madeAt } = await readKey(terminal, address, flags.withKey === true);
  let isKept = false;
  try {
    checkKey(apiKey, "The key", problems);
    throwProblems(problems);
    terminal.hide(apiKey);
    const looked = await lookAndKeep(terminal, address, apiKey, flags, pair);
    isKept = looked.isKept;
    return looked.exitCode;
  } finally {
    if (madeAt !== undefined && !isKept) await endMade(terminal, madeAt, apiKey);
  }
}

/** How long a key that was made for nothing may take to be ended, milliseconds. */
const ENDING_MS = 5_000;

/** A key that was just made and is kept by nobody must not stay good for a year. */
async function endMade(terminal: Terminal, baseUrl: string, apiKey: string): Promise<void> {
  const allowPlainHttp = terminal.env["THREADLORE_ALLOW_HTTP"] === "1";
  const brief = { timeouts: { totalMs: ENDING_MS }, retries: { retries: 0 } };
  try {
    // Also after Ctrl-C, which ended what it was made for.
    await endOwnKey({ baseUrl, apiKey, allowPlainHttp, ...brief });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    // What the server does not know any more is ended.
    if (error.outcome === "auth") return;
    note(terminal, "The key you just agreed to could not be ended there: end it on the page of your account.");
  }
}

/** Looks at a server with a key, and keeps both where they are of use. */
async function lookAndKeep(
  terminal: Terminal,
  address: string,
  apiKey: string,
  flags: LoginFlags,
  pair: number | null | undefined,
): Promise<{ isKept: boolean; exitCode: number }> {
  const { url, ingestionPath, findings } = await examine(terminal, address, apiKey, pair ?? undefined);
  // A pair that is kept and not there would refuse every document from now on.
  const essential = new Set([...ESSENTIAL, ...(typeof pair === "number" ? ["pair"] : [])]);
  const missing = findings.find(({ ok, what }) => ok === false && essential.has(what));
  const usable = missing === undefined;
  if (usable) {
    await saveServer(terminal, url, {
      apiKey,
      ...(pair !== undefined && { pair }),
      ...(ingestionPath !== DEFAULT_PROFILE.ingestionPath && { ingestionPath }),
    });
  }
  const exitCode = EXIT_CODES[missing === undefined ? "ok" : (CAUSE_OF_MISSING[missing.what] ?? "auth")].code;
  if (flags.json === true) {
    writeJson(terminal, { ok: usable, url, findings, exit_code: exitCode });
    return { isKept: usable, exitCode };
  }
  for (const finding of findings) terminal.err.write(findingText(terminal.err, finding));
  note(terminal, usable ? `Logged in to ${url}; kept in ${configPath(terminal)}.` : "Not logged in; nothing was kept.");
  return { isKept: usable, exitCode };
}

/** Without these nothing works; what else is missing (a right to ingest, a clock) hinders only some commands. */
const ESSENTIAL = ["base URL", "server", "key"];

const CAUSE_OF_MISSING: Readonly<Record<string, ExitCause>> = {
  "base URL": "unavailable",
  server: "unavailable",
  key: "auth",
  pair: "usage",
};

/** Diagnoses, once more with the address and the paths the first diagnosis proposes. */
async function examine(
  terminal: Terminal,
  address: string,
  apiKey: string,
  ccPairId: number | undefined,
): Promise<{ url: string; ingestionPath: string; findings: ServerFinding[] }> {
  let url = address;
  let ingestionPath = DEFAULT_PROFILE.ingestionPath;
  for (let round = 0; ; round += 1) {
    const findings = await diagnose({
      baseUrl: url,
      apiKey,
      allowPlainHttp: terminal.env["THREADLORE_ALLOW_HTTP"] === "1",
      profile: { ingestionPath },
      needs: ccPairId === undefined ? ["ask"] : ["ask", "ingest"],
      wishes: ["ingest"],
      ccPairId,
      signal: terminal.interrupted,
    });
    const proposal = Object.assign({}, ...findings.map((finding) => finding.proposal)) as NonNullable<
      ServerFinding["proposal"]
    >;
    const better = { url: proposal.baseUrl ?? url, ingestionPath: proposal.profile?.ingestionPath ?? ingestionPath };
    if (round === 2 || (better.url === url && better.ingestionPath === ingestionPath))
      return { url, ingestionPath, findings: findings.map(typable) };
    ({ url, ingestionPath } = better);
  }
}

/** A key; `madeAt`: it was made just now, by somebody who signed in at this server. */
interface ReadKey {
  readonly apiKey: string;
  readonly madeAt?: string;
}

async function readKey(terminal: Terminal, address: string, withKey: boolean): Promise<ReadKey> {
  const fromEnvironment = terminal.env["THREADLORE_API_KEY"];
  if (fromEnvironment !== undefined && fromEnvironment !== "") return { apiKey: fromEnvironment };
  const signedIn = terminal.stdinIsTerminal && !withKey ? await signIn(terminal, address) : undefined;
  if (signedIn !== undefined) return signedIn;
  const key = terminal.stdinIsTerminal
    ? await terminal.prompt("Key (not shown): ", { hidden: true })
    : (await terminal.readStdin()).trim();
  if (key === "") throw new UsageError("No key was given: set THREADLORE_API_KEY, or pipe the key into the command.");
  return { apiKey: key };
}

/** Longest search for a way to sign in, milliseconds. */
const OFFER_MS = 10_000;

/** Lets the person sign in with a browser; undefined where the server does not offer that, or does not answer. */
async function signIn(terminal: Terminal, address: string): Promise<ReadKey | undefined> {
  const { interrupted: signal, env } = terminal;
  const allowPlainHttp = env["THREADLORE_ALLOW_HTTP"] === "1";
  const patience = { timeouts: { totalMs: OFFER_MS }, retries: { retries: 0 } };
  let connection: { baseUrl: string; allowPlainHttp: boolean };
  try {
    const { baseUrl } = await resolveBaseUrl({ baseUrl: address, allowPlainHttp, signal, timeoutMs: OFFER_MS });
    if (baseUrl === undefined) return undefined;
    connection = { baseUrl, allowPlainHttp };
    if (!(await offersSignIn({ ...connection, ...patience }, { signal }))) return undefined;
  } catch (error) {
    signal.throwIfAborted();
    // What is wrong with the address is said once a key is there.
    if (error instanceof ClientError) return undefined;
    throw error;
  }
  const request = { client: "threadlore (terminal)", purpose: `terminal on ${hostname()}` };
  const begun = await beginSignIn(connection, request, { signal });
  note(terminal, `Open this page in a browser, on any machine, and sign in:\n\n  ${oneLine(begun.pageWithCode)}\n`);
  note(terminal, `Agree there only if it shows the code ${oneLine(begun.userCode)}. Waiting; Ctrl-C stops.`);
  return { apiKey: await awaitKey(connection, begun, { signal }), madeAt: connection.baseUrl };
}
