import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { seededRandom } from "@threadlore/testkit";
import { newHome, runCli } from "./spawn-cli.ts";

export interface KillLoopPlan {
  /** How often the command is killed before it may end. */
  readonly cycles: number;
  readonly documents: number;
  readonly seed: number;
}

interface Taken {
  readonly id: string;
  readonly semantic_identifier: string;
  readonly sections: readonly { readonly text: string }[];
}

/**
 * Ingests a folder with the real command, killing it at random moments, until one run comes through. `lost`: documents
 * the server never got. `sentAgain`: documents that were sent although the journal already said they were acknowledged.
 */
export async function killLoop(plan: KillLoopPlan): Promise<{ lost: string[]; sentAgain: string[] }> {
  const home = newHome();
  const folder = join(home.folder, "folder");
  mkdirSync(folder);
  for (let n = 0; n < plan.documents; n += 1)
    writeFileSync(join(folder, `note-${n}.md`), `# Note ${n}\n\nText ${n}.\n`);
  const journal = join(home.folder, ".local/state/threadlore/ingested.jsonl");
  const got = new Map<string, { title: string; content: string }>();
  const sentAgain: string[] = [];
  const server = createServer((request, response) => {
    // It only takes documents and finds them; whatever else is asked for, it does not have.
    if (request.method !== "POST") {
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"404: Not Found"}');
      return;
    }
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      if (request.url?.endsWith("/search") === true) {
        const { query } = JSON.parse(body) as { query: string };
        const results = [...got.values()].filter(({ title }) => query.includes(title));
        response.setHeader("content-type", "application/json").end(JSON.stringify({ results }));
        return;
      }
      const { document } = JSON.parse(body) as { document: Taken };
      if (acknowledged(journal).has(document.id)) sentAgain.push(document.id);
      const already_existed = got.has(document.id);
      const { semantic_identifier: title, sections } = document;
      got.set(document.id, { title, content: sections.map(({ text }) => text).join(" ") });
      // A little slow, so that kills meet every state of a request.
      setTimeout(
        () => response.setHeader("content-type", "application/json").end(JSON.stringify({ already_existed })),
        4,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const options = { home, env: { THREADLORE_URL: url, THREADLORE_API_KEY: "tl_TESTkey0000" } };
  const args = ["ingest", "--pair", "1", "folder"];
  const random = seededRandom(plan.seed);
  for (let cycle = 0; cycle < plan.cycles; cycle += 1) {
    const before = got.size;
    await runCli(args, {
      ...options,
      onStart: (child) => killWhen(child, () => got.size > before, random() * 40),
    });
  }
  const last = await runCli(args, options);
  server.close();
  if (last.code !== 0) throw new Error(`The last run ended with ${last.code}: ${last.stderr}`);
  const known = acknowledged(journal);
  const lost = [...known].filter((id) => !got.has(id));
  if (got.size !== plan.documents || known.size !== plan.documents)
    lost.push(`${got.size} of ${plan.documents} arrived`);
  return { lost, sentAgain };
}

/** Kills -9 so many milliseconds after something got through; a run that ends first is left to end. */
function killWhen(child: ChildProcess, started: () => boolean, afterMs: number): void {
  const watch = setInterval(() => {
    if (!started()) return;
    clearInterval(watch);
    setTimeout(() => child.kill("SIGKILL"), afterMs);
  }, 1);
  child.once("close", () => clearInterval(watch));
}

function acknowledged(journal: string): Set<string> {
  if (!existsSync(journal)) return new Set();
  const lines = readFileSync(journal, "utf8").split("\n").slice(0, -1);
  // The first line says where the collection lies.
  return new Set(lines.flatMap((line) => (JSON.parse(line) as { id?: string }).id ?? []));
}
