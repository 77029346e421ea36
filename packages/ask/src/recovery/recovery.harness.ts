import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import type { SendMessageInput } from "@threadlore/client/models";
import { afterThisTest, type DeployedServer, startDeployedServer } from "@threadlore/testkit";
import type { Answer } from "../answer/answer.ts";
import { ask, type AskOptions } from "../ask.ts";

export const question = { message: "How many days of leave do I have?" };
export const PIECES = ["Twenty-eight ", "days, ", "of which ", "ten can ", "be carried ", "over."];
export const WHOLE = PIECES.join("");

/** Text in pieces, with a pause before each, milliseconds. */
export function pieces(texts: readonly string[], pauseMs: number) {
  return texts.flatMap((piece) => [{ pauseMs }, { piece }]);
}

export async function start(): Promise<DeployedServer> {
  const server = await startDeployedServer();
  afterThisTest(() => server.close());
  server.answerWith(pieces(PIECES, 5));
  return server;
}

/** Impatient, so that a server that is away is not waited for longer than it takes to come back. */
export function connected(server: DeployedServer, key = server.keys.admin) {
  const options = {
    baseUrl: server.url,
    apiKey: key,
    timeouts: { idleMs: 300, quietIdleMs: 300, firstByteMs: 2_000 },
    retries: { retries: 0 },
  };
  return { client: createClient(options), recovery: createDeployment(options) };
}

export async function snapshots(
  server: DeployedServer,
  asked: SendMessageInput = question,
  options: AskOptions = {},
): Promise<Answer[]> {
  const { client, recovery } = connected(server);
  const all: Answer[] = [];
  for await (const answer of ask(client, asked, { recovery, patienceMs: 3_000, ...options })) all.push(answer);
  return all;
}

export async function last(...given: Parameters<typeof snapshots>): Promise<Answer> {
  const answer = (await snapshots(...given)).at(-1);
  if (answer === undefined) throw new Error("ask yielded nothing");
  return answer;
}

/** A signal that leaves the run to others as soon as something is so. */
export function leaving(isSo: () => boolean): AbortSignal {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (!isSo()) return;
    clearInterval(timer);
    setTimeout(() => controller.abort({ leaveRunning: true }), 60);
  }, 5);
  return controller.signal;
}
