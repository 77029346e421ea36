import { relative } from "node:path";
import { ask, type Answer, emptyAnswer } from "@threadlore/ask";
import {
  createAnswerView,
  dataFiles,
  ingestionSummary,
  oneLine,
  runningIn,
  startProgress,
  startServing,
  styled,
  type Terminal,
  waitUntilIndexed,
} from "@threadlore/cli";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import type { ModelSettings } from "@threadlore/service";
import { handbookFiles, ingestHandbook } from "./handbook.ts";
import type { ModelServer } from "./model-servers.ts";
import { speech } from "./speech.ts";

/** How a demonstration runs. */
export interface DemonstrationOptions {
  /** Data folder of the service. */
  readonly folder: string;
  readonly port: number;
  /** Absent: answers are extracts. */
  readonly model: ModelSettings | undefined;
  /** Model servers found, to be told of. */
  readonly modelServers: readonly ModelServer[];
}

/** Starts the service, or finds the one that runs on this data already. */
export async function openStage(terminal: Terminal, options: DemonstrationOptions) {
  const running = await runningIn(dataFiles(options.folder));
  if (running !== undefined) {
    return { service: { ...running, files: dataFiles(options.folder) }, serving: undefined };
  }
  const serving = await startServing({ ...options, log: (line) => terminal.err.write(`${line}\n`) });
  if (serving.apiKey === undefined) {
    await serving.close();
    throw new Error(`The key file ${serving.files.key} is gone. Delete the folder ${options.folder} to begin anew.`);
  }
  return { service: { url: serving.url, files: serving.files, apiKey: serving.apiKey }, serving };
}

/** The service to ask; `serving` is undefined when it runs in another process. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Says what runs where. */
export function introduce(terminal: Terminal, { service, serving }: Stage, options: DemonstrationOptions): void {
  const { say, bold, dim } = speech(terminal);
  const label = (text: string): string => `  ${dim(text.padEnd(10))}`;
  say(`${bold("Threadlore")}: ask what your company knows.`, "");
  say(`${label("Service")}${service.url}${serving === undefined ? ", running already" : ", for this machine only"}`);
  say(`${label("Data")}${nearest(terminal.folder, service.files.database)}`);
  if (serving !== undefined) say(`${label("Answers")}${answersFrom(options)}`);
  say(...modelHints(options).map((line) => label("") + line), "");
}

/** A path as short as it can be said from here. */
function nearest(folder: string, path: string): string {
  const from = relative(folder, path);
  return from.startsWith("..") ? path : from;
}

function answersFrom({ model }: DemonstrationOptions): string {
  return model === undefined ? "extracts of the documents; no model needed" : `written by ${oneLine(model.name)}`;
}

/** A model server that was found is told of, and used only when asked for. */
function modelHints({ model, modelServers }: DemonstrationOptions): string[] {
  const found = modelServers.find((server) => server.models.length > 0);
  if (model !== undefined || found === undefined) return [];
  return [
    `${found.product} runs here (${oneLine(found.models.slice(0, 3).join(", "))}).`,
    "To let it write the answers: npx -y pnpm@12 start --model",
  ];
}

/** Ingests the handbook with a progress bar and waits until it can be found. Throws what ended the run. */
export async function addHandbook(terminal: Terminal, { service }: Stage): Promise<void> {
  const { say, fitted } = speech(terminal);
  say(fitted("Adding the handbook of Tidewell, a company that does not exist."));
  const progress = startProgress(terminal.err, (await handbookFiles()).length);
  const report = await ingestHandbook(terminal, service, (name) => progress.step(name)).finally(() => progress.end());
  if (report.ended !== undefined) throw report.ended;
  const deployment = createDeployment({ baseUrl: service.url, apiKey: service.apiKey });
  await waitUntilIndexed({ deployment, fates: report.fates, signal: terminal.interrupted });
  say(`  ${styled(terminal.out, "green", ingestionSummary(report))}`);
  say(...report.refused.map(({ name, reason }) => `  ${oneLine(name)}: ${oneLine(reason)}`), "");
}

/** Asks the question and streams the answer to the terminal. Returns the last snapshot. */
export async function showAnswer(terminal: Terminal, { service }: Stage, question: string): Promise<Answer> {
  const { say, bold, cyan, fitted } = speech(terminal);
  say(`${cyan("?")} ${bold(fitted(question, 2))}`, "");
  const client = createClient({ baseUrl: service.url, apiKey: service.apiKey });
  const view = createAnswerView(terminal, question);
  let answer = emptyAnswer();
  for await (const snapshot of ask(client, { message: question, origin: "api" }, { signal: terminal.interrupted })) {
    answer = snapshot;
    view.show(snapshot);
  }
  if (answer.failure !== undefined) say(styled(terminal.out, "red", oneLine(answer.failure.message)));
  say("");
  return answer;
}

const WORKSPACE =
  "A chat workspace on this machine, with the bot in it; no account needed. Mention @Threadlore with a question. Pin Mara's message in #general, then ask where the spare key is. Or ask something nobody wrote down, such as when the ferry does not run: press Ask a person, become Jon (below left), reply, press Keep as the answer, and ask again.";

/** Says where the page to talk in is, and what there is to do. */
export function sayWhereToTalk(terminal: Terminal, url: string): void {
  const { say, bold, cyan, fitted } = speech(terminal);
  say(`${bold("Talk to it in a channel:")} ${cyan(url)}`, fitted(WORKSPACE), "");
}

/** What becomes of the service after the answer: it stays up, ends with this command, or runs in another process. */
export type Afterwards = "stays" | "ends" | "elsewhere";

const NEXT: Record<Afterwards, string> = {
  stays: "Try next, in another terminal here:",
  ends: "To keep the service up, leave --once out. Then try, in another terminal here:",
  elsewhere: "Try next, while the service runs:",
};

/** What to type: every line works as it is. */
const COMMANDS = [
  'ask "What does VPN error 41 mean?"',
  'ask -c "And error 67?"',
  "ingest --pair none README.md",
  "doctor",
  "mcp install",
];

/** What a person can do from here. */
export function sayWhatNext(terminal: Terminal, service: Afterwards, folder: string): void {
  const { say, dim, fitted, typed } = speech(terminal);
  say(fitted(NEXT[service]), ...COMMANDS.map((words) => `  ${typed(folder, words)}`));
  if (service !== "stays") return;
  say("", dim(fitted("Ctrl-C stops everything. What it knows is kept for the next start.")));
}
