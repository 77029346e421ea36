import { existsSync } from "node:fs";
import type { HeldDocument } from "@threadlore/service";
import { openTracing } from "@threadlore/tracing";
import { type Command, Option } from "commander";
import { EMBEDDED_PORT, ownedFiles, runningIn } from "../embedded/embedded.ts";
import { type Exit, EXIT_CODES, UsageError } from "../exit-codes.ts";
import { dataFolder } from "../folders.ts";
import { databaseUrl } from "../embedded/database-url.ts";
import { wholeNumber } from "./options.ts";
import { note, styled, type Terminal } from "../terminal/output.ts";
import { withOwner } from "../embedded/owner.ts";
import { addInstallOptions, commandLineOf, type InstallFlags } from "../install/install-options.ts";
import { addNetworkOptions, type NetworkFlags, networkOf } from "../embedded/network-settings.ts";
import { companyOf } from "../embedded/company-settings.ts";
import { modelFromEnvironment, rateLimit, type RateLimits } from "../embedded/serve-settings.ts";
import type { Serving } from "../embedded/serving.ts";

interface ServeFlags extends NetworkFlags {
  data?: string;
  port: number;
  pairExtension?: boolean;
  anonymous?: boolean;
  audit?: number;
  signInDays?: number;
  gaps?: "all" | "told" | "off";
  gapDays?: number;
  limit?: RateLimits;
}

/** `threadlore serve`. */
export function addServeCommand(program: Command, terminal: Terminal, exit: Exit): void {
  const command = program
    .command("serve")
    .summary("run the embedded service on this machine")
    .description(
      "Runs the embedded service until Ctrl-C, for this machine alone unless --listen names another address. Everything it knows is in one SQLite file in its data folder, or in PostgreSQL where DATABASE_URL names one.",
    )
    .option("--data <folder>", "where its data lies; otherwise THREADLORE_DATA, or ~/.local/share/threadlore")
    .option(
      "--port <number>",
      "port on this machine; the browser extension looks at the default",
      wholeNumber(0, 65_535),
      EMBEDDED_PORT,
    )
    .option(
      "--pair-extension",
      "show a code that pairs the browser extension; where the service runs already, show only that",
    )
    .option("--anonymous", "let callers without a key ask, about documents of public pairs only")
    .option(
      "--limit <budget>",
      "how many questions in how many seconds, for user, group or global, such as user=30/60; repeatable",
      rateLimit,
    )
    .option(
      "--audit <days>",
      "note who does what kind of thing, without its words, and keep it so long; `threadlore audit` shows it",
      wholeNumber(1, 36_500),
    )
    .option(
      "--sign-in-days <days>",
      "how long a sign-in with your company's identity provider is believed: then people sign in there again, and their keys go on; 30 unless set",
      wholeNumber(1, 365),
    )
    .addOption(
      new Option(
        "--gaps <whose>",
        "whose questions without an answer are kept, for `threadlore gaps`: all; told, only what a program tells, as the bot does; or off; all unless set",
      ).choices(["all", "told", "off"] as const),
    )
    .option("--gap-days <days>", "how long each of them is kept; 365 unless set", wholeNumber(1, 3_650));
  addNetworkOptions(command)
    .addHelpText("after", ENVIRONMENT)
    .action(async (flags: ServeFlags & InstallFlags) => {
      if (flags.install === true) {
        const { installService } = await import("../install/install-service.ts");
        exit.code = await installService(terminal, flags, commandLineOf(command));
      } else exit.code = await runServe(terminal, flags);
    });
  addInstallOptions(command);
}

const ENVIRONMENT = `
Environment:
  DATABASE_URL    postgres://user:password@host/database, where everything is
                  kept and shared by all instances that have it; without it,
                  everything is in the data folder

  MODEL_BASE_URL  an OpenAI-compatible server that writes the answers, such as
                  http://127.0.0.1:11434/v1; without it, answers are extracts
  MODEL_NAME      the model's name there
  MODEL_API_KEY   its key, where it wants one

  EMBEDDING_BASE_URL, EMBEDDING_NAME, EMBEDDING_API_KEY
                  the same for an embedding model: the texts of all documents go
                  there, and search ranks by meaning too; without it, by words

  DATABASE_URL_FILE, MODEL_API_KEY_FILE, EMBEDDING_API_KEY_FILE
                  files that hold these instead, which nobody else may read

  THREADLORE_OIDC_ISSUER, THREADLORE_OIDC_CLIENT_ID
                  your company's identity provider (OpenID Connect), and what
                  it calls this service: people then sign in there
  THREADLORE_OIDC_CLIENT_SECRET, or THREADLORE_OIDC_CLIENT_SECRET_FILE
                  the secret it gave, or a file with it
  THREADLORE_OIDC_DOMAINS, THREADLORE_OIDC_GROUPS_CLAIM,
  THREADLORE_OIDC_SCOPES, THREADLORE_OIDC_NAME
                  whose addresses may sign in, where groups stand, what is asked
                  for, and what people call it: docs/company-sign-in.md

  OTEL_EXPORTER_OTLP_ENDPOINT
                  a collector of OpenTelemetry traces, by OTLP over HTTP, such
                  as http://127.0.0.1:4318; without it, nothing is sent
`;

async function runServe(terminal: Terminal, flags: ServeFlags): Promise<number> {
  const folder = dataFolder(terminal, flags.data);
  if (flags.pairExtension === true) {
    const files = await ownedFiles(terminal, flags.data);
    if ((await runningIn(files)) !== undefined) {
      await showPairingCode(terminal, files.folder);
      return EXIT_CODES.ok.code;
    }
  }
  const model = modelFromEnvironment(terminal);
  if (model?.name === "") throw new UsageError("MODEL_BASE_URL is set; set MODEL_NAME to the model to use as well.");
  const embeddings = modelFromEnvironment(terminal, "embeddings");
  if (embeddings?.name === "") {
    throw new UsageError("EMBEDDING_BASE_URL is set; set EMBEDDING_NAME to the embedding model to use as well.");
  }
  for (const { apiKey } of [model, embeddings].filter((one) => one !== undefined)) {
    if (apiKey !== undefined) terminal.hide(apiKey);
  }
  const company = await companyOf(terminal);
  const network = networkOf(flags);
  const isJson = flags.log === "json";
  const url = databaseUrl(terminal);
  const { startServing } = await import("../embedded/serving.ts");
  const log = (line: string): void => note(terminal, line);
  const tracing = openTracing({ name: "threadlore-service", env: terminal.env, onProblem: log });
  const serving = await startServing({
    folder,
    databaseUrl: url,
    port: flags.port,
    model,
    embeddings,
    company,
    settings: {
      anonymous: flags.anonymous === true,
      rateLimits: flags.limit ?? {},
      auditDays: flags.audit ?? 0,
      ...(flags.signInDays !== undefined && { signInDays: flags.signInDays }),
      ...(flags.gaps !== undefined && { gaps: flags.gaps }),
      ...(flags.gapDays !== undefined && { gapDays: flags.gapDays }),
    },
    network,
    withMetrics: flags.metrics === true,
    logFormat: flags.log,
    logLevel: isJson ? "info" : "warn",
    tracing,
    log,
  });
  const { publicUrl } = serving.listening;
  try {
    if (isJson) tellEvent(terminal, "listening", { url: serving.url, public_url: publicUrl });
    else {
      const database = url === undefined ? undefined : (await import("@threadlore/service")).placeOfTruth(url);
      introduce(terminal, serving, database, model?.name, embeddings?.name);
      if (company !== undefined) {
        const callback = `${publicUrl ?? serving.url}/sign-in/callback`;
        note(terminal, `Sign-in: with ${company.name}, which has to know ${callback} as the redirect URI.`);
      }
    }
    noteHeld(terminal, await serving.listening.service.heldDocuments());
    if (flags.pairExtension === true) await showPairingCode(terminal, folder);
    await ended(terminal);
  } finally {
    if (isJson) tellEvent(terminal, "stopping", { open_requests: serving.listening.openRequests() });
    else note(terminal, stoppingLine(serving));
    await serving.close();
    await tracing.close();
  }
  return EXIT_CODES.ok.code;
}

/** @param database where everything is, but for the folder; `model`: name of the model that writes the answers; `embeddings`: of that of search; undefined: none */
function introduce(terminal: Terminal, serving: Serving, database?: string, model?: string, embeddings?: string): void {
  const { publicUrl } = serving.listening;
  const here = styled(terminal.out, "bold", serving.url);
  terminal.out.write(
    publicUrl === undefined
      ? `Threadlore listens on ${here}, for this machine only.\n`
      : `Threadlore listens on ${styled(terminal.out, "bold", publicUrl)}, and on ${here} for this machine.\n`,
  );
  note(terminal, `Data:    ${database ?? serving.files.database}`);
  if (database !== undefined) noteCopy(terminal, serving);
  note(terminal, `Key:     ${keyLine(serving)}`);
  note(
    terminal,
    `Answers: ${model === undefined ? "extracts of the documents (no model is set)" : `written by ${model}`}`,
  );
  if (embeddings !== undefined) note(terminal, `Search:  by words, and by meaning with ${embeddings}`);
  if (serving.firstStart) {
    note(
      terminal,
      "Add documents with `threadlore ingest`, ask with `threadlore ask`; both find this service and its key.",
    );
  }
  if (publicUrl !== undefined) {
    note(
      terminal,
      `People give bots, assistants and the extension ${publicUrl} and a key of their own: \`threadlore key add\`.`,
    );
    if (publicUrl.startsWith("http:")) note(terminal, "Without TLS: keys travel in the clear.");
  }
  note(terminal, "Ctrl-C stops it.");
}

/** One line for programs that read the log. */
function tellEvent(terminal: Terminal, event: string, fields: Record<string, unknown>): void {
  note(terminal, JSON.stringify({ time: new Date().toISOString(), level: "info", event, ...fields }));
}

function stoppingLine({ listening }: Serving): string {
  const open = listening.openRequests();
  if (listening.publicUrl === undefined || open === 0) return "Stopping.";
  return `Stopping once ${open} ${open === 1 ? "request is" : "requests are"} answered. Ctrl-C again ends it at once.`;
}

/** What the folder has, where everything is elsewhere. */
function noteCopy(terminal: Terminal, { files }: Serving): void {
  note(terminal, `Copy:    ${files.copy} (what this machine searches by; made again where it is lost)`);
  if (!existsSync(files.database)) return;
  note(
    terminal,
    `${files.database} is not used. What it has can be moved to an empty database: \`threadlore migrate\`.`,
  );
}

/** Where the owner's key lies, or how to get one. */
function keyLine({ apiKey, files, firstStart }: Serving): string {
  if (apiKey !== undefined) return `${files.key} (readable by you only${firstStart ? "; made just now" : ""})`;
  return (
    "there is no key file; other commands do not find this service without it. Make a key, and the file:\n" +
    `         (umask 077; threadlore key add owner --role admin --data ${files.folder} > ${files.key})`
  );
}

async function showPairingCode(terminal: Terminal, folder: string): Promise<void> {
  const code = await withOwner(terminal, folder, (owner) => owner.createPairing());
  terminal.out.write(`Pairing code: ${styled(terminal.out, "bold", code)}\n`);
  note(
    terminal,
    "Type it into the extension's first page, or its settings, within ten minutes, in a browser on this machine.",
  );
}

/** Resolves at Ctrl-C or SIGTERM. */
function ended({ interrupted }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    if (interrupted.aborted) resolve();
    interrupted.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Documents named where the service starts; `pair held` lists all. */
const NAMED = 3;

/** Says, where there are any, which documents no pair shows, why, and what to do. */
function noteHeld(terminal: Terminal, held: readonly HeldDocument[]): void {
  if (held.length === 0) return;
  const named = held.slice(0, NAMED).map(({ id }) => id);
  const more = held.length > NAMED ? ` and ${held.length - NAMED} more` : "";
  note(
    terminal,
    `Held back: ${held.length} ${held.length === 1 ? "document" : "documents"} (${named.join(", ")}${more}). ` +
      "An earlier version kept one text for several pairs; which of them it belongs to is not known, so only keys that see everything see it.",
  );
  note(terminal, "`threadlore pair held` lists them with their pairs. Ingest each again under every one of its pairs.");
}
