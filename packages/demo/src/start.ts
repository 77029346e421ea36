import { once } from "node:events";
import {
  describeFailure,
  EMBEDDED_PORT,
  EXIT_CODES,
  leave,
  modelFromEnvironment,
  processTerminal,
  type Terminal,
  UsageError,
} from "@threadlore/cli";
import type { ModelSettings } from "@threadlore/service";
import { PortTakenError } from "@threadlore/service/serve";
import type { Chat } from "./chat.ts";
import type { InTheBrowser } from "./in-the-browser.ts";
import { addHandbook, introduce, openStage, sayWhatNext, sayWhereToTalk, showAnswer } from "./demonstration.ts";
import { readQuestions } from "./handbook.ts";
import { chooseModel, findModelServers, type ModelServer } from "./model-servers.ts";
import { HELP, readOptions } from "./start-options.ts";

/** `npx -y pnpm@12 start`: from nothing to a cited answer, then stays up. */
async function start(terminal: Terminal, args: readonly string[]): Promise<number> {
  const chosen = readOptions(terminal, args);
  if (chosen.help) {
    terminal.out.write(HELP);
    return EXIT_CODES.ok.code;
  }
  const modelServers = await findModelServers();
  const options = {
    folder: chosen.folder,
    port: chosen.port,
    model: modelFor(terminal, modelServers, chosen.model),
    modelServers,
  };
  const { shown } = await readQuestions();
  const stage = await openStage(terminal, options);
  let chat: Chat | undefined;
  let browser: InTheBrowser | undefined;
  try {
    introduce(terminal, stage, options);
    await addHandbook(terminal, stage);
    const answer = await showAnswer(terminal, stage, shown);
    if (terminal.interrupted.aborted) return stopped(terminal, EXIT_CODES.interrupted.code);
    if (answer.status !== "done") return EXIT_CODES.answerFailed.code;
    const service = stage.serving === undefined ? "elsewhere" : chosen.once ? "ends" : "stays";
    if (service === "stays" && chosen.chatPort !== undefined) {
      // Loaded here, since the answer before needs none of it.
      const { openChat } = await import("./chat.ts");
      chat = await openChat(terminal, { port: chosen.chatPort, service: stage.service });
      sayWhereToTalk(terminal, chat.workspace.url);
    }
    if (chosen.browser || (service === "stays" && chosen.extension)) {
      const { offerExtension } = await import("./in-the-browser.ts");
      browser = await offerExtension(terminal, { service: stage.service, folder: chosen.folder, open: chosen.browser });
    }
    if (!terminal.interrupted.aborted) sayWhatNext(terminal, service, chosen.folder);
    if (service === "elsewhere" && browser?.closed !== undefined) {
      await Promise.race([browser.closed, interrupted(terminal)]);
      return EXIT_CODES.ok.code;
    }
    if (service !== "stays") return EXIT_CODES.ok.code;
    await interrupted(terminal);
    return stopped(terminal, EXIT_CODES.ok.code);
  } finally {
    await browser?.close();
    await chat?.close();
    await stage.serving?.close();
  }
}

function stopped(terminal: Terminal, code: number): number {
  terminal.out.write("\nStopped. What it knows is kept.\n");
  return code;
}

/** A model is used when the environment names one, or when it was asked for. */
function modelFor(
  terminal: Terminal,
  servers: readonly ModelServer[],
  wanted: string | boolean,
): ModelSettings | undefined {
  const named = modelFromEnvironment(terminal);
  if (named !== undefined || wanted === false) return named;
  const model = chooseModel(servers, wanted);
  if (model !== undefined) return model;
  throw new UsageError(
    "No such model runs here. Start Ollama, LM Studio or llama.cpp with a model, or set MODEL_BASE_URL and MODEL_NAME.",
  );
}

async function interrupted({ interrupted: signal }: Terminal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/** Why it did not start, in plain words, and what to do. */
function explain(terminal: Terminal, error: unknown): number {
  if (terminal.interrupted.aborted) return stopped(terminal, EXIT_CODES.interrupted.code);
  const failure = describeFailure(error);
  for (const line of failure.lines) terminal.err.write(`${line}\n`);
  if (error instanceof PortTakenError) {
    const another = error.port < 65_535 ? error.port + 1 : EMBEDDED_PORT;
    terminal.err.write(`To use another one: npx -y pnpm@12 start --port ${another}\n`);
  }
  return failure.exitCode;
}

const terminal = processTerminal();
leave(terminal, await start(terminal, process.argv.slice(2)).catch((error: unknown) => explain(terminal, error)));
