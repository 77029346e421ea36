import { existsSync } from "node:fs";
import type { Arrived, MovingProgress } from "@threadlore/service";
import type { Command } from "commander";
import { databaseUrl } from "../embedded/database-url.ts";
import { noDatabase, ownedFiles } from "../embedded/embedded.ts";
import type { SentPair } from "../embedded/sending.ts";
import { type PairMap, pairMapping } from "../ingest/pair-choice.ts";
import { readSettings } from "../server/config.ts";
import { type Exit, EXIT_CODES, UsageError } from "../exit-codes.ts";
import { note, oneLine, table, type Terminal } from "../terminal/output.ts";
import { addDataOptions, type DataFlags, tell } from "./options.ts";

/** `threadlore migrate`. */
export function addMigrateCommand(program: Command, terminal: Terminal, exit: Exit): void {
  const command = program
    .command("migrate")
    .summary("move the embedded service's data from its file to PostgreSQL")
    .description(
      "Moves everything the embedded service has in its data folder to the empty PostgreSQL database DATABASE_URL names: documents, pairs, keys, conversations, files. Keys stay valid, and what was sent is known there. Ended on the way, it goes on where it was when it is run again. In the end every value is compared on both sides. The data folder stays as it is; no service may run on it.",
    );
  command
    .option(
      "--url <address>",
      "send the documents to this server instead, through ingestion, with THREADLORE_API_KEY or the key of `login`",
    )
    .option(
      "--pair <from=to>",
      "with --url: the pair there for the documents of a pair here, such as 2=7 or 1=none; repeatable",
      pairMapping,
    );
  addDataOptions(command).action(async (flags: MigrateFlags) => {
    if (flags.url !== undefined) {
      exit.code = await sendTo(terminal, flags);
      return;
    }
    if (flags.pair !== undefined) throw new UsageError("--pair means something only with --url.");
    const url = databaseUrl(terminal);
    if (url === undefined) {
      throw new UsageError(
        "Set DATABASE_URL to the database to move to, such as postgres://user:password@host/database.",
      );
    }
    const { database } = await ownedFiles(terminal, flags.data);
    if (!existsSync(database)) throw new UsageError(noDatabase(database));
    const { placeOfTruth } = await import("@threadlore/service");
    const arrived = await move(terminal, database, url);
    const different = arrived.filter(({ isSame }) => !isSame);
    if (different.length > 0) exit.code = EXIT_CODES.checkFailed.code;
    const rows = arrived.map(({ table: name, rows: count, sum, isSame }) => [
      name,
      String(count),
      sum.slice(0, 16),
      isSame ? "the same" : "DIFFERENT",
    ]);
    tell(terminal, flags, {
      json: { ok: different.length === 0, arrived },
      out: table([["TABLE", "ROWS", "SHA-256", ""], ...rows]),
      notes:
        different.length === 0
          ? [`All of it is in ${placeOfTruth(url)}. \`threadlore serve\` goes on from there.`]
          : [UNEQUAL],
    });
  });
}

const UNEQUAL =
  "Not everything is the same on both sides. Does something else write there? Run it again; nothing is served until it is.";

interface MigrateFlags extends DataFlags {
  url?: string;
  pair?: PairMap;
}

async function sendTo(terminal: Terminal, { data, json, url, pair = new Map() }: MigrateFlags): Promise<number> {
  const { database } = await ownedFiles(terminal, data);
  if (!existsSync(database)) throw new UsageError(noDatabase(database));
  const settings = await readSettings(terminal, { url });
  const { sendDocuments } = await import("../embedded/sending.ts");
  const sent = await sendDocuments(terminal, settings, database, pair);
  const total = (fate: keyof SentPair["counts"]): number => sent.reduce((sum, { counts }) => sum + counts[fate], 0);
  const failed = total("failed");
  const unconfirmed = total("unconfirmed");
  const rows = sent.map(({ from, to, counts, listed, withoutPictures }) =>
    [
      from,
      to ?? "default",
      counts.created,
      counts.updated,
      counts.unchanged,
      counts.unconfirmed,
      counts.failed,
      listed ?? "?",
      withoutPictures,
    ].map(String),
  );
  const notes = sent.flatMap(({ refused }) =>
    refused.map(({ name, reason }) => `${oneLine(name)}: ${oneLine(reason)}`),
  );
  if (sent.some(({ withoutPictures }) => withoutPictures > 0)) notes.push("Pictures stay behind: only words are sent.");
  if (unconfirmed > 0) notes.push(`${unconfirmed} were accepted and not found yet; the same command sends them again.`);
  notes.push("Keys, conversations and files are of the service they were made in, and stay there.");
  const head = ["FROM", "TO", "CREATED", "UPDATED", "UNCHANGED", "NOT FOUND", "FAILED", "LISTED", "WITHOUT PICTURES"];
  tell(
    terminal,
    { json },
    { json: { ok: failed + unconfirmed === 0, pairs: sent }, out: table([head, ...rows]), notes },
  );
  if (failed > 0) return EXIT_CODES.documentsFailed.code;
  return unconfirmed > 0 ? EXIT_CODES.unconfirmed.code : EXIT_CODES.ok.code;
}

async function move(terminal: Terminal, database: string, url: string): Promise<readonly Arrived[]> {
  const { Database, lockDatabase, moveData, openStore } = await import("@threadlore/service");
  const lock = lockDatabase(database);
  const from = new Database(database);
  try {
    const to = await openStore(url);
    try {
      return await moveData(from, to, progressOn(terminal));
    } finally {
      await to.close();
    }
  } finally {
    from.close();
    lock.release();
  }
}

/** From one line about how far it is to the next, milliseconds. */
const TELL_EVERY_MS = 2_000;

/** Says now and then how far it is, and each table at its end. Ends the work when it is interrupted. */
function progressOn(terminal: Terminal): (progress: MovingProgress) => void {
  let told = performance.now();
  return ({ table: name, step, done, of }) => {
    terminal.interrupted.throwIfAborted();
    const now = performance.now();
    if (now < told + TELL_EVERY_MS) return;
    told = now;
    const percent = of === 0 ? 100 : Math.floor((100 * done) / of);
    note(terminal, `${name}: ${step} ${done} of ${of} (${percent} %)`);
  };
}
