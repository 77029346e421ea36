import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterThisTest } from "@threadlore/testkit";
import { type Serving, startServing } from "../embedded/serving.ts";
import { runHere } from "./in-process.ts";

/** A service in this process; one that is not stopped is stopped after the test. */
export async function serve(folder: string, port = 0): Promise<Serving> {
  const serving = await startServing({ folder, port, log: () => {} });
  afterThisTest(() => serving.close());
  return serving;
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A home that reaches a service by its address and key, as another machine does. */
export const byAddress = (home: string, { url, apiKey = "" }: Serving) => ({
  home,
  env: { THREADLORE_URL: url, THREADLORE_API_KEY: apiKey },
});

/** Ingests a folder twice, exchanges the service behind the address for an empty one, ingests again, and asks that. */
export async function replaceServer(home: string, documents: number): Promise<{ said: string[]; found: string }> {
  write(join(home, "docs/gate.md"), "# Gate\n\nThe harbour gate opens at 06:40.\n");
  for (let n = 1; n < documents; n += 1) write(join(home, `docs/${n}.md`), `# Buoy ${n}\n\nIt was laid in ${n}.\n`);
  const ingest = async (serving: Serving) =>
    (await runHere(["ingest", "--pair", "1", "docs"], byAddress(home, serving))).stderr;
  const first = await serve(join(home, "one"));
  const said = [await ingest(first), await ingest(first)];
  await first.close();
  const second = await serve(join(home, "two"), Number(new URL(first.url).port));
  said.push(await ingest(second));
  const answer = await runHere(["ask", "When does the harbour gate open?"], byAddress(home, second));
  return { said, found: answer.stdout };
}
