import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import { type DeployedServer, type Mishap, randomMishap, seededRandom, startDeployedServer } from "@threadlore/testkit";
import type { Answer } from "../answer/answer.ts";
import { ask } from "../ask.ts";

/** A question whose end was wrong, so that it can be run again by its seed. */
export interface Wrong {
  readonly seed: number;
  readonly mishap: string;
  readonly what: string;
}

/** What became of many questions. */
export interface Outcomes {
  readonly whole: number;
  readonly broken: number;
  readonly wrong: readonly Wrong[];
}

const PIECES = ["Twenty-eight ", "days, ", "of which ", "ten [[1]](https://e.com/a) ", "can be ", "carried ", "over."];
const WHOLE = PIECES.join("");
/** What a person may read in place of a whole answer: what happened, and what to do. */
const SENTENCE = /^(?:[A-Z]|127\.)[^<>{}\n]{10,250}[.:] (?:Ask again|Try again|Check)[^<>{}\n]*\.$/;

/** Asks a question for each seed, each with its own random mix of things that go wrong, on several servers at a time. */
export async function askThroughMishaps(seeds: readonly number[], servers = 8): Promise<Outcomes> {
  const left = [...seeds];
  let whole = 0;
  let broken = 0;
  const wrong: Wrong[] = [];
  await Promise.all(
    Array.from({ length: Math.min(servers, seeds.length) }, async () => {
      const server = await startDeployedServer();
      try {
        for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
          const { mishap, answer, arrived } = await askOnce(server, seed);
          const what = problemOf(server, answer) ?? (mishap.losesAnswers || !arrived ? undefined : notGiven(answer));
          if (what !== undefined) wrong.push({ seed, mishap: mishap.words, what });
          else if (answer.status === "done") whole++;
          else broken++;
        }
      } finally {
        await server.close();
      }
    }),
  );
  return { whole, broken, wrong };
}

interface Asked {
  readonly mishap: Mishap;
  readonly answer: Answer;
  /** The server got the question. */
  readonly arrived: boolean;
}

async function askOnce(server: DeployedServer, seed: number): Promise<Asked> {
  const random = seededRandom(seed);
  const mishap = randomMishap(random);
  server.answerWith(PIECES.flatMap((piece) => [{ pauseMs: Math.floor(random() * 20) }, { piece }]));
  const options = {
    baseUrl: server.url,
    apiKey: server.keys.admin,
    timeouts: { idleMs: 2_000, quietIdleMs: 2_000, firstByteMs: 2_000 },
    retries: { retries: 0 },
  };
  const question = { message: `Question ${seed}: how many days of leave?` };
  let last: Answer | undefined;
  const before = server.questions.length;
  mishap.begin(server);
  const asked = ask(createClient(options), question, { recovery: createDeployment(options), patienceMs: 4_000 });
  for await (const answer of asked) last = answer;
  await mishap.end(server);
  if (last === undefined) throw new Error("ask yielded nothing");
  return { mishap, answer: last, arrived: server.questions.length > before };
}

function problemOf(server: DeployedServer, { status, text, failure }: Answer): string | undefined {
  if (server.questions.some(({ whileRunning }) => whileRunning)) return "asked twice";
  if (status === "done") return text === WHOLE ? undefined : `not whole: ${text}`;
  if (!WHOLE.startsWith(text)) return `another text: ${text}`;
  return SENTENCE.test(failure?.message ?? "") ? undefined : `${status}: ${failure?.message}`;
}

/** A server that had the question and kept its answer has something whole to give. */
function notGiven({ status, text, failure }: Answer): string | undefined {
  return status === "done" ? undefined : `not got of the server, which has it: ${failure?.message} (${text})`;
}
