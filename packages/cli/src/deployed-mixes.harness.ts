import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { randomMishap, seededRandom } from "@threadlore/testkit";
import { deployed, type Person, personAt } from "./testing/deployed.ts";
import type { Run } from "./testing/in-process.ts";

/** What became of many questions. */
export interface Mixed {
  /** Answers that were printed whole. */
  readonly whole: number;
  /** Answers that ended early or not at all, in one plain sentence. */
  readonly told: number;
  /** What ended otherwise: the seed it is asked again by, what went wrong there, and what was wrong with the end. */
  readonly wrong: readonly string[];
}

const PIECES = ["Twenty-eight ", "days, ", "of which ", "ten ", "can be ", "carried ", "over."];
const WHOLE = PIECES.join("");
const LOST =
  "The server no longer has the last conversation: this question begins a new one, without what was said before.\n";
const WAITING = "The connection broke off. Waiting for the rest.\n";
/** What happened and what to do; a second line may say that the server may have done it all the same. */
const SENTENCE =
  /^(?:[A-Z]|127\.)[^<>{}\n]{10,250}[.:] (?:Ask again|Try again|Check|Its log says)[^<>{}\n]*\.\n(?:The server may have carried it out all the same\.\n)?$/;
const CODES = new Set([3, 7, 10]);

/**
 * Asks a question for each seed, each with its own random mix of cuts, silences and restarts, as a person does: now
 * anew, now following up, now in a conversation the server has lost.
 */
export async function askThroughMixes(seeds: readonly number[], servers = 6): Promise<Mixed> {
  const left = [...seeds];
  let [whole, told] = [0, 0];
  const wrong: string[] = [];
  const work = async (): Promise<void> => {
    const server = await deployed();
    const person = personAt(server);
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const random = seededRandom(seed);
      const mishap = randomMishap(random);
      server.answerWith(PIECES.flatMap((piece) => [{ pauseMs: Math.floor(random() * 20) }, { piece }]));
      const before = lastOf(person, server.url);
      const follows = before !== undefined && random() < 0.5;
      const session = server.sessions.get(before ?? "");
      if (session?.deleted === false && random() < 0.2) server.forgetSession(session.id, "deleted");
      mishap.begin(server);
      const run = await person.run([
        "ask",
        "--patience",
        "4",
        ...(follows ? ["-c"] : []),
        `Question ${seed}: how many days?`,
      ]);
      await mishap.end(server);
      const problem = server.questions.some(({ whileRunning }) => whileRunning) ? "asked twice" : problemOf(run);
      if (problem !== undefined) wrong.push(`${seed} (${mishap.words}): ${problem}`);
      else if (run.code === 0) whole += 1;
      else told += 1;
    }
  };
  await Promise.all(Array.from({ length: servers }, work));
  return { whole, told, wrong };
}

/** The conversation `-c` would go on with. */
function lastOf({ home }: Person, url: string): string | undefined {
  const path = join(home, ".local/state/threadlore/conversations.json");
  if (!existsSync(path)) return undefined;
  const kept = JSON.parse(readFileSync(path, "utf8")) as Record<string, { sessionId: string }>;
  return kept[url]?.sessionId;
}

function problemOf({ code, stdout, stderr }: Run): string | undefined {
  const said = stderr.replace(LOST, "").replace(WAITING, "");
  if (code === 0) return stdout === `${WHOLE}\n` && said === "" ? undefined : `not whole: ${stdout}${said}`;
  if (code === null || !CODES.has(code)) return `exit code ${code}: ${said}`;
  if (!WHOLE.startsWith(stdout.trimEnd())) return `another text: ${stdout}`;
  return SENTENCE.test(said) ? undefined : `no plain sentence: ${said}`;
}
