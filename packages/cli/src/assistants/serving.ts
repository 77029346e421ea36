import { setTimeout as pause } from "node:timers/promises";
import { ClientError } from "@threadlore/client";
import type { Knowledge, KnowledgeSource } from "@threadlore/mcp";
import type { Command } from "commander";
import { UsageError } from "../exit-codes.ts";
import { parsePair } from "../ingest/pair-choice.ts";
import type { DataFiles } from "../embedded/embedded.ts";
import { readIfPresent } from "../folders.ts";
import { configPath, readSettings, type ServerFlags } from "../server/config.ts";
import { askCaller, connection } from "../server/connection.ts";
import { note, type Terminal } from "../terminal/output.ts";

interface ServingFlags extends ServerFlags {
  pair?: string;
}

/** `threadlore mcp`: serves one editor or assistant until it closes standard input. */
export function addServing(mcp: Command, terminal: Terminal): void {
  mcp
    .option("--url <address>", "server to talk to; otherwise THREADLORE_URL, or the one you logged in to")
    .option("--data <folder>", "talk to the embedded service that runs on this data folder; otherwise THREADLORE_DATA")
    .option("--pair <number>", "connector/credential pair of what assistants add, or none; otherwise the saved one")
    .action(async (flags: ServingFlags) => {
      if (flags.pair !== undefined) parsePair(flags.pair);
      await serveAssistant(terminal, flags);
    });
}

/** Longest wait for a server to say who calls, before the first call to it, milliseconds. */
const ASKED_MS = 2_000;

/** What is under way when the editor leaves gets so long to be stopped on the server, milliseconds. */
const LAST_CALLS_MS = 1_500;

async function serveAssistant(terminal: Terminal, flags: ServingFlags): Promise<void> {
  if (terminal.stdinIsTerminal) {
    note(
      terminal,
      "Waiting for an editor or assistant on standard input; `threadlore mcp install` sets one up. Ctrl-C ends it.",
    );
  }
  const { serveOverStdio } = await import("@threadlore/mcp/stdio");
  const calls = new Set<Promise<unknown>>();
  const source = await knowledgeSource(terminal, flags, calls);
  await serveOverStdio(source, {
    input: process.stdin,
    output: process.stdout,
    signal: terminal.interrupted,
    report: (error) =>
      note(terminal, `Unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  const leave = AbortSignal.timeout(LAST_CALLS_MS);
  // The call that stops an answer begins once the answer's own has ended.
  await pause(20);
  while (calls.size > 0 && !leave.aborted) {
    await Promise.race([Promise.allSettled(calls), pause(LAST_CALLS_MS, undefined, { signal: leave }).catch(() => {})]);
    await pause(20);
  }
}

/**
 * The server as the settings say, looked up at the first call and again where they changed, or where one did not reach
 * it: an editor is started before the service as often as behind it, a service that was started anew has another address,
 * and whoever logged in meanwhile means the server and the key they logged in with.
 * @param calls what is under way
 */
async function knowledgeSource(
  terminal: Terminal,
  flags: ServingFlags,
  calls: Set<Promise<unknown>>,
): Promise<KnowledgeSource> {
  const { KnowledgeMissing, knowledgeOf } = await import("@threadlore/mcp");
  let known: Promise<Knowledge> | undefined;
  let files: DataFiles | undefined;
  let written = "";
  const watched: typeof fetch = (input, init) => {
    const reply = fetch(input, init);
    calls.add(reply);
    reply.then(
      () => calls.delete(reply),
      () => {
        calls.delete(reply);
        known = undefined;
      },
    );
    return reply;
  };
  const find = async (): Promise<Knowledge> => {
    try {
      const settings = await readSettings(terminal, flags, { announce: false });
      files = settings.embedded;
      written = await settingsAsWritten(terminal, files);
      // A server open to everybody would answer a revoked key from what is public, and nobody would notice.
      if (settings.apiKey !== undefined) await askCaller(terminal, settings, ASKED_MS);
      const pair = flags.pair === undefined ? settings.pair : parsePair(flags.pair);
      return knowledgeOf({ ...connection(terminal, settings), fetch: watched, pair });
    } catch (error) {
      known = undefined;
      if (error instanceof UsageError) throw new KnowledgeMissing(error.message);
      if (error instanceof ClientError) throw error;
      throw new KnowledgeMissing(error instanceof Error ? error.message : String(error));
    }
  };
  return async () => {
    if (known !== undefined) {
      await known;
      if ((await settingsAsWritten(terminal, files)) !== written) known = undefined;
    }
    return (known ??= find());
  };
}

/** What stands in the files that say which server is asked, and with which key. */
async function settingsAsWritten(terminal: Terminal, files: DataFiles | undefined): Promise<string> {
  const paths = [configPath(terminal), ...(files === undefined ? [] : [files.running, files.key])];
  const texts = await Promise.all(paths.map((path) => readIfPresent(path).catch(() => undefined)));
  return JSON.stringify(texts);
}
