import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataFiles } from "@threadlore/cli";
import { createService } from "@threadlore/service";
import { handbook, handbookQuestions } from "../answers/sets.ts";
import { API_KEY, fill } from "../filled-service.ts";
import { type Contestant, medianRows, withRatio } from "../measure.ts";
import { columnsOf, type Group } from "../report.ts";
import { generateCorpus } from "../search/search-corpus.ts";
import { withFolder } from "../with-folder.ts";

const MAIN = join(import.meta.dirname, "../../../cli/src/main.ts");

export const OURS = "threadlore test, from its start to its end";
const ONE_AFTER_ANOTHER = "the same questions by fetch, one after another (control)";
const AT_ONCE = "the same by fetch, four at a time (control)";
export const SECONDS = "s";
const CPU = "service CPU s";

/** How long a file of tests takes, over a service as `threadlore serve` runs it. */
export function manyTests({
  tests,
  passages,
  rounds,
}: {
  tests: number;
  passages: number;
  rounds: number;
}): Promise<Group> {
  return withFolder(async (folder) => {
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o700 });
    const service = createService({ database: dataFiles(data).database, apiKey: API_KEY });
    const { pages, questions: made } = generateCorpus(passages, undefined);
    const own = handbook("en");
    await fill(service, [...own, ...pages.slice(own.length)]);
    await service.close();
    const questions = questionsOf(tests, made);
    return withServe(folder, data, async (url, pid) => {
      const env = {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        NODE_COMPILE_CACHE: join(folder, "compiled"),
        THREADLORE_URL: url,
        THREADLORE_API_KEY: API_KEY,
      };
      await writeTests(folder, questions, env);
      const contestants: Contestant[] = [
        { name: OURS, ours: true, run: () => timed(pid, () => testAll(folder, env, ["questions.yaml"], 0)) },
        { name: AT_ONCE, ours: false, run: () => timed(pid, () => fetchAll(url, questions, 4)) },
        { name: ONE_AFTER_ANOTHER, ours: false, run: () => timed(pid, () => fetchAll(url, questions, 1)) },
      ];
      const rows = await medianRows(contestants, rounds, 1);
      return {
        name: `${tests.toLocaleString("en")} answer tests over ${passages.toLocaleString("en")} passages`,
        columns: columnsOf({ [SECONDS]: 1, [CPU]: 1, "times one after another": 2 }),
        rows: withRatio(rows, "times one after another", SECONDS, ONE_AFTER_ANOTHER),
      };
    });
  });
}

/** Questions people ask a handbook, then such as somebody might ask of all else that is there. */
function questionsOf(tests: number, made: readonly string[]): string[] {
  const asked = (["handbook-en", "handbook-plain", "handbook-everyday"] as const)
    .flatMap((name) => handbookQuestions(name))
    .map(({ q }) => q);
  const all = [...new Set([...asked, ...made])];
  // Beyond what there is, somebody asks once more, and politely.
  const more = Array.from({ length: Math.max(0, tests - all.length) }, (_, n) => `Please: ${all[n % all.length]}`);
  return [...all, ...more].slice(0, tests);
}

/** Writes tests that hold what the service answers now: each names the documents it cites, or that it refuses. */
async function writeTests(folder: string, questions: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const path = join(folder, "questions.yaml");
  const write = (tests: readonly object[]): void => writeFileSync(path, JSON.stringify({ tests }));
  write(questions.map((ask) => ({ ask, cites_not: "no document is called like this" })));
  await testAll(folder, env, ["questions.yaml", "--report", "first.json"], 0);
  const { tests } = JSON.parse(readFileSync(join(folder, "first.json"), "utf8")) as {
    tests: readonly {
      ask: string;
      nothing_found: boolean;
      answer: string;
      cites: readonly { document_id: string }[];
    }[];
  };
  write(
    tests.map(({ ask, nothing_found: isRefused, cites }) =>
      isRefused ? { ask, refuses: "true" } : { ask, refuses: "false", cites: cites.map((one) => [one.document_id]) },
    ),
  );
}

async function testAll(
  folder: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  expected: number,
): Promise<void> {
  const child = spawn(process.execPath, [MAIN, "test", ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, "close")) as [number];
  if (code !== expected) throw new Error(`threadlore test ended with ${code}: ${said.slice(0, 2_000)}`);
}

async function fetchAll(url: string, questions: readonly string[], atOnce: number): Promise<void> {
  const rest = questions.values();
  const ask = async (): Promise<void> => {
    for (const message of rest) {
      const reply = await fetch(`${url}/chat/send-chat-message`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${API_KEY}` },
        body: JSON.stringify({ message, stream: true }),
      });
      if (!(await reply.text()).includes('"stop"')) throw new Error(`No answer to: ${message}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
}

async function timed(pid: number | undefined, work: () => Promise<void>): Promise<Record<string, number>> {
  const [begun, used] = [performance.now(), cpuSeconds(pid)];
  await work();
  return { [SECONDS]: (performance.now() - begun) / 1_000, [CPU]: cpuSeconds(pid) - used };
}

/** Ticks of the kernel's clock in a second, as it tells times to programs. */
const TICKS = 100;

/** What a process used of the processors until now, of all its threads: other programs on the machine count little there. */
function cpuSeconds(pid: number | undefined): number {
  // Behind the name of the program, which may hold anything: user's and system's time are the 12th and 13th.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Does something with `threadlore serve` over a folder, in a process of its own. */
async function withServe<Result>(
  home: string,
  data: string,
  work: (url: string, pid: number | undefined) => Promise<Result>,
): Promise<Result> {
  const child = spawn(process.execPath, [MAIN, "serve", "--port", "0", "--data", data], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    let said = "";
    const ready = new Promise<string>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
        if (url !== undefined) resolve(url);
      });
    });
    const url = await Promise.race([ready, once(child, "exit").then(() => undefined)]);
    if (url === undefined) throw new Error(`threadlore serve ended: ${said}`);
    return await work(url, child.pid);
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  }
}
