/** Many questions through a panel while all kinds of things go wrong. Import this first. */
import { talkTo } from "./deployed.harness.ts";
import { type DeployedServer, randomMishap, seededRandom, startDeployedServer } from "@threadlore/testkit";
import { until } from "../../testing/until.ts";

/** A question whose end was wrong, so that it can be run again by its seed. */
export interface Wrong {
  readonly seed: number;
  readonly mishap: string;
  readonly what: string;
}

/** What became of many questions. */
export interface Outcomes {
  /** Whole at once, or after the panel was opened again. */
  readonly whole: number;
  /** One plain sentence, and whole once it was asked again. */
  readonly again: number;
  readonly wrong: readonly Wrong[];
}

const PIECES = ["Twenty-eight ", "days, ", "of which ", "ten ", "can be ", "carried ", "over."];
const WHOLE = PIECES.join("");

/** Asks a question for each seed, each with its own mix of cuts, restarts and silences; some panels are closed meanwhile. */
export async function askThroughMishaps(seeds: readonly number[], servers = 6): Promise<Outcomes> {
  const left = [...seeds];
  const wrong: Wrong[] = [];
  let whole = 0;
  let again = 0;
  await Promise.all(
    Array.from({ length: Math.min(servers, seeds.length) }, async () => {
      const server = await startDeployedServer();
      try {
        for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
          const { mishap, what, isWhole } = await askOnce(server, seed);
          if (what !== undefined) wrong.push({ seed, mishap, what });
          else if (isWhole) whole++;
          else again++;
        }
      } finally {
        await server.close();
      }
    }),
  );
  return { whole, again, wrong };
}

interface Outcome {
  readonly mishap: string;
  readonly what: string | undefined;
  readonly isWhole: boolean;
}

async function askOnce(server: DeployedServer, seed: number): Promise<Outcome> {
  const random = seededRandom(seed);
  const { words: mishap, begin, end } = randomMishap(random);
  const script = PIECES.flatMap((piece) => [{ pauseMs: Math.floor(random() * 20) }, { piece }]);
  server.answerWith(script);
  const before = server.questions.length;
  const question = `Question ${seed}: how many days of leave?`;
  const newKey = () => server.addKey({ user: "person" });
  const key = newKey();
  let panel = talkTo(server, { key, patienceMs: 4_000 });
  begin(server);
  const asking = panel.conversation.ask(question, { page: false, company: true });
  const isClosed = random() < 0.3;
  if (isClosed) {
    await new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 150)));
    const { turns, place } = panel.held();
    if (panel.conversation.isBusy.value) {
      // A closed panel sends nothing any more; this one lives on, and its key does not.
      server.revoke(key);
      panel = talkTo(server, { key: newKey(), patienceMs: 4_000 });
      await panel.conversation.open(turns, place);
    }
  }
  if (!isClosed) await asking;
  const quiet = () => until("the answer is over", () => !panel.conversation.isBusy.value);
  await quiet();
  await end(server);
  const isWhole = panel.status() === "done";
  if (!isWhole && panel.said() === "") return { mishap, what: `silent: ${panel.status()}`, isWhole };
  // What the person does next: once more, on a server that is well again.
  for (let tries = 0; panel.status() !== "done" && tries < 3; tries++) await panel.conversation.again();
  const asked = server.questions.slice(before).filter(({ message }) => message === question);
  return { mishap, what: problemOf(panel.text(), asked), isWhole };
}

function problemOf(text: string, asked: DeployedServer["questions"]): string | undefined {
  const isTwice = asked.some(({ startedAt }, index) =>
    asked.slice(0, index).some(({ endedAt }) => endedAt === undefined || endedAt > startedAt),
  );
  if (isTwice) return "asked twice";
  return text === WHOLE ? undefined : `not whole: ${text}`;
}
