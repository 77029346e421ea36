import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { createService } from "@threadlore/service";
import { serve } from "@threadlore/service/serve";
import { seededRandom } from "@threadlore/testkit";
import { type Bar, missedOf } from "./bars.ts";
import { API_KEY } from "./filled-service.ts";
import { type Contestant, medianRows, withRatio } from "./measure.ts";
import { columnsOf, type Outcome } from "./report.ts";
import { withFolder } from "./with-folder.ts";

const COLUMNS = columnsOf({ "passages a second": 0, "documents a second": 0, "times the control": 2 });
const PASSAGES = 5;
const NAME = "documents of 5 passages of about 1,000 characters";
const CONTROL = "bare FTS5, a transaction for each document (control)";
const OURS = "threadlore service, 32 documents at a time";

/**
 * On a quiet machine 8,000 passages a second, where the control makes 8,600. Passages a second depend
 * on the machine and on what else it does; the share of the control in the same run decides.
 */
const BARS: readonly Bar[] = [{ group: NAME, row: OURS, column: "times the control", least: 8_000 / 8_600 }];

interface Document {
  readonly id: string;
  readonly title: string;
  readonly passages: readonly string[];
}

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface IngestSize {
  readonly documents: number;
  readonly rounds: number;
}

/** From documents to passages that can be found. */
export async function benchIngest({ documents, rounds }: IngestSize): Promise<Outcome> {
  const all = generateDocuments(documents);
  const measured = (name: string, ours: boolean, work: (folder: string) => Promise<number> | number): Contestant => ({
    name,
    ours,
    run: () => withFolder((folder) => ratesOf(name, all, folder, work)),
  });
  const rows = await medianRows(
    [
      measured(CONTROL, false, (folder) => insertBare(folder, all, 1)),
      measured("bare FTS5, a transaction for 50 documents", false, (folder) => insertBare(folder, all, 50)),
      measured("threadlore service, one document after the other", true, (folder) => ingestInto(folder, all, 1)),
      measured(OURS, true, (folder) => ingestInto(folder, all, 32)),
      measured("threadlore ingest of a folder", true, (folder) => ingestFolder(folder, all)),
    ],
    rounds,
    0,
  );
  const besideControl = withRatio(rows, "times the control", "passages a second", CONTROL);
  const groups = [{ name: NAME, columns: COLUMNS, rows: besideControl }];
  return { groups, missed: missedOf(groups, BARS) };
}

async function ratesOf(
  name: string,
  documents: readonly Document[],
  folder: string,
  work: (folder: string) => Promise<number> | number,
): Promise<Record<string, number>> {
  const before = performance.now();
  const milliseconds = await work(folder);
  const passages = passagesIn(join(folder, "data.db"));
  if (passages !== documents.length * PASSAGES) throw new Error(`${name} made ${passages} passages.`);
  if (milliseconds > performance.now() - before) throw new Error(`${name} took less time than it says.`);
  return {
    "passages a second": (passages / milliseconds) * 1_000,
    "documents a second": (documents.length / milliseconds) * 1_000,
  };
}

/** Passages that a search would see. */
function passagesIn(path: string): number {
  const isService = existsSync(`${path}.search.sqlite`);
  const database = new DatabaseSync(isService ? `${path}.search.sqlite` : path);
  const table = isService ? "passages" : "passages_index";
  try {
    return Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
  } finally {
    database.close();
  }
}

function insertBare(folder: string, documents: readonly Document[], atOnce: number): number {
  const database = new DatabaseSync(join(folder, "data.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE VIRTUAL TABLE passages_index USING fts5(title, text, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO passages_index (title, text) VALUES (?, ?)");
  const begun = performance.now();
  for (let from = 0; from < documents.length; from += atOnce) {
    database.exec("BEGIN IMMEDIATE");
    for (const { title, passages } of documents.slice(from, from + atOnce)) {
      for (const text of passages) insert.run(title, text);
    }
    database.exec("COMMIT");
  }
  const milliseconds = performance.now() - begun;
  database.close();
  return milliseconds;
}

async function ingestInto(folder: string, documents: readonly Document[], atOnce: number): Promise<number> {
  const service = createService({ database: join(folder, "data.db"), apiKey: API_KEY });
  const headers = { "content-type": "application/json", authorization: `Bearer ${API_KEY}` };
  const waiting = documents.map(({ id, title, passages }) =>
    JSON.stringify({ document: { id, semantic_identifier: title, sections: passages.map((text) => ({ text })) } }),
  );
  const begun = performance.now();
  const send = async () => {
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
      const request = new Request("http://127.0.0.1/service-api/ingestion", { method: "POST", headers, body });
      const { status } = await service.fetch(request);
      if (status !== 200) throw new Error(`A document was answered with status ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  await service.drain();
  const milliseconds = performance.now() - begun;
  await service.close();
  return milliseconds;
}

async function ingestFolder(folder: string, documents: readonly Document[]): Promise<number> {
  const files = join(folder, "files");
  mkdirSync(files);
  for (const { id, title, passages } of documents) {
    const sections = passages.map((text, index) => `## Part ${index}\n\n${text}\n`);
    writeFileSync(join(files, `${id}.md`), `# ${title}\n\n${sections.join("\n")}`);
  }
  const server = await serve({ database: join(folder, "data.db"), apiKey: API_KEY, port: 0 });
  try {
    const main = join(import.meta.dirname, "../../cli/src/main.ts");
    const { PATH } = process.env;
    const env = { PATH, HOME: folder, THREADLORE_URL: server.url, THREADLORE_API_KEY: API_KEY };
    const args = [main, "ingest", "--pair", "none", "--concurrency", "32", files];
    const begun = performance.now();
    await promisify(execFile)(process.execPath, args, { env });
    await server.service.drain();
    return performance.now() - begun;
  } finally {
    await server.close();
  }
}

/** Words as often as they are in a language: few of them make most of a text. */
function generateDocuments(count: number): Document[] {
  const random = seededRandom(2026);
  const letters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join("");
  const words = Array.from({ length: 20_000 }, (_, rank) => letters(2 + Math.min(9, Math.floor(Math.log2(rank + 1)))));
  const text = (length: number) => {
    const parts: string[] = [];
    for (let size = 0; size < length;) {
      const word = words[Math.floor(random() ** 4 * words.length)] ?? "";
      parts.push(word);
      size += word.length + 1;
    }
    return `${parts.join(" ")}.`;
  };
  return Array.from({ length: count }, (_, number) => ({
    id: `note-${number}`,
    title: text(30),
    passages: Array.from({ length: PASSAGES }, () => text(950)),
  }));
}
