import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { serve } from "@threadlore/service/serve";
import { type Bar, missedOf } from "../bars.ts";
import { API_KEY, fill } from "../filled-service.ts";
import { type Contestant, medianRows, withRatio } from "../measure.ts";
import { columnsOf, type Outcome } from "../report.ts";
import { withFolder } from "../with-folder.ts";

const COLUMNS = columnsOf({ ms: 0, "times bare Node": 2, "times the fetch": 2 });
const BARE = "node -e 0 (control)";
const FETCH = "node and a fetch of the same answer (control)";
const OURS = "threadlore ask";
const NAME = "from the command to the end of a short answer";

/** A person waits for it each time. The ratio holds on slower machines too. */
const BARS: readonly Bar[] = [{ group: NAME, row: OURS, column: "times the fetch", most: 3 }];

const WORDS = "the shed behind hall 2";
const PAGES = [
  ["Bicycles", WORDS],
  ["Umbrellas", "the stand beside the lift"],
  ["Spectacles", "the drawer of the porter"],
  ["Trolleys", "the corridor to the yard"],
  ["Ladders", "the cellar below the canteen"],
].map(([thing = "", place]) => ({ id: thing, title: thing, text: `${thing} are kept in ${place}.` }));
const QUESTION = "Where are bicycles kept?";
const MAIN = join(import.meta.dirname, "../../../cli/src/main.ts");

/** The terminal from its start to its end, over a service of this process. */
export function benchColdStart(rounds: number): Promise<Outcome> {
  return withFolder(async (home) => {
    const server = await serve({ database: join(home, "service.db"), apiKey: API_KEY, port: 0 });
    try {
      await fill(server.service, PAGES, { baseUrl: server.url });
      const environment = {
        PATH: process.env["PATH"] ?? "",
        HOME: home,
        NODE_COMPILE_CACHE: join(home, "compiled"),
        THREADLORE_URL: server.url,
        THREADLORE_API_KEY: API_KEY,
      };
      const timed = (name: string, args: readonly string[], expected: string): Contestant => ({
        name,
        ours: name === OURS,
        run: async () => ({ ms: await timeOf(args, environment, expected) }),
      });
      const rows = await medianRows(
        [
          timed(BARE, ["-e", "0"], ""),
          timed(FETCH, ["--input-type=module", "-e", FETCHING], WORDS),
          timed(OURS, [MAIN, "ask", QUESTION], WORDS),
        ],
        rounds,
        1,
      );
      const besideNode = withRatio(rows, "times bare Node", "ms", BARE);
      const groups = [{ name: NAME, columns: COLUMNS, rows: withRatio(besideNode, "times the fetch", "ms", FETCH) }];
      return { groups, missed: missedOf(groups, BARS) };
    } finally {
      await server.close();
    }
  });
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
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env, cwd: env["HOME"] });
  if (stdout.includes(expected)) return performance.now() - begun;
  throw new Error(`node ${args.join(" ").slice(0, 80)} said: ${stdout.slice(0, 500)}${stderr.slice(0, 500)}`);
}
