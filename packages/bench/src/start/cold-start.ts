import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { serve } from "@threadlore/service/serve";
import { type Bar, missedOf } from "../bars.ts";
import { type Measured, mediansOf } from "../figures.ts";
import type { Column, Group } from "../report.ts";

const COLUMNS: readonly Column[] = [
  { title: "ms", digits: 0 },
  { title: "times bare Node", digits: 2 },
  { title: "times the fetch", digits: 2 },
];
const BARE = "node -e 0 (control)";
const FETCH = "node and a fetch of the same answer (control)";
const OURS = "threadlore ask";
const NAME = "from the command to the end of a short answer";

/** A person waits for it each time. The ratio holds on slower machines too. */
const BARS: readonly Bar[] = [{ group: NAME, row: OURS, column: "times the fetch", most: 3 }];

const WORDS = "the shed behind hall 2";
const PLACES = {
  Bicycles: WORDS,
  Umbrellas: "the stand beside the lift",
  Spectacles: "the drawer of the porter",
  Trolleys: "the corridor to the yard",
  Ladders: "the cellar below the canteen",
};
const QUESTION = "Where are bicycles kept?";
const MAIN = join(import.meta.dirname, "../../../cli/src/main.ts");

/** The terminal from its start to its end, over a service of this process. */
export async function benchColdStart(rounds: number): Promise<{ groups: Group[]; missed: string[] }> {
  const home = mkdtempSync(join(tmpdir(), "threadlore-start-bench-"));
  const apiKey = ["tl", "BENCH".padEnd(32, "0")].join("_");
  const server = await serve({ database: join(home, "service.db"), apiKey, port: 0 });
  try {
    const client = createClient({ baseUrl: server.url, apiKey });
    for (const [thing, place] of Object.entries(PLACES)) {
      const text = `${thing} are kept in ${place}.`;
      await client.ingest({ document: { id: thing, semantic_identifier: thing, sections: [{ text }] } });
    }
    await server.service.drain();
    const environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      NODE_COMPILE_CACHE: join(home, "compiled"),
      THREADLORE_URL: server.url,
      THREADLORE_API_KEY: apiKey,
    };
    const timed = (name: string, args: readonly string[], expected: string): Measured => ({
      name,
      ours: name === OURS,
      run: async () => ({ ms: await timeOf(args, environment, expected) }),
    });
    const medians = await mediansOf(
      [
        timed(BARE, ["-e", "0"], ""),
        timed(FETCH, ["--input-type=module", "-e", FETCHING], WORDS),
        timed(OURS, [MAIN, "ask", QUESTION], WORDS),
      ],
      rounds,
    );
    const msOf = (wanted: string) => [...medians].find(([{ name }]) => name === wanted)?.[1]["ms"] ?? Number.NaN;
    const rows = [...medians].map(([{ name, ours }, figures]) => ({
      name,
      ours,
      figures: { ...figures, "times bare Node": msOf(name) / msOf(BARE), "times the fetch": msOf(name) / msOf(FETCH) },
    }));
    const groups = [{ name: NAME, columns: COLUMNS, rows }];
    return { groups, missed: missedOf(groups, BARS) };
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The same answer with nothing around it. */
const FETCHING = `
  const reply = await fetch(process.env.THREADLORE_URL + "/chat/send-chat-message", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer " + process.env.THREADLORE_API_KEY },
    body: JSON.stringify({ message: ${JSON.stringify(QUESTION)}, stream: false }),
  });
  console.log((await reply.json()).answer);
`;

async function timeOf(args: readonly string[], env: NodeJS.ProcessEnv, expected: string): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, cwd: env["HOME"], stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const [code] = await once(child, "close");
  if (code === 0 && said.includes(expected)) return performance.now() - begun;
  throw new Error(`node ${args.join(" ").slice(0, 80)} ended with ${code}: ${said.slice(0, 500)}`);
}
