import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "@threadlore/testkit";
import { NO_TRACING } from "@threadlore/tracing";
import { addKey, createService, Database } from "../index.ts";
import { createMetrics } from "../listening/metrics.ts";
import { temporaryFolder } from "../service.harness.ts";

/** Where words of private questions were found. */
export interface Found {
  readonly where: string;
  readonly word: string;
}

/** What is told: sentences around words that stand nowhere else. */
const SENTENCES = [
  "Where does % keep the papers about %?",
  "Warum hat % den Vertrag mit % gekündigt?",
  "Is it true that % leaves % because of %",
  "how much does % earn at %",
  "Kdy odchází % z oddělení %?",
];

const word = (): string =>
  `zq${randomBytes(6)
    .toString("hex")
    .replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "g")}`;

/**
 * Tells a service so many private questions of words that stand nowhere else, forgets some, and looks for the words in every byte
 * of its files, in what it logs, notes, counts and traces, and in whatever it answers to administrators. Ends with one that its asker
 * shares: its word has to be found in the files, or nothing else would.
 */
export async function lookForWords(questions: number): Promise<{ found: readonly Found[]; shared: boolean }> {
  const folder = temporaryFolder();
  const model = await startScriptedModel([]);
  const db = new Database(join(folder.path, "threadlore.db"));
  for (const role of ["editor", "admin"] as const) db.transact(addKey(`tl_TEST${role}`, { name: role, role }, 0));
  const told: string[] = [];
  const tell = (what: unknown): void => void told.push(JSON.stringify(what) ?? "");
  const metrics = createMetrics({ counts: () => ({ connections: 0, requests: 0 }) });
  const tracing = {
    ...NO_TRACING,
    begin: (...given: Parameters<typeof NO_TRACING.begin>) => {
      tell(given);
      return NO_TRACING.begin(...given);
    },
  };
  const service = createService({
    database: db,
    log: tell,
    logLevel: "info",
    metrics,
    tracing,
    settings: { auditDays: 30 },
    embeddings: { baseUrl: model.url, name: "scripted" },
  });
  const call = async (line: string, role: string, body?: unknown): Promise<string> => {
    const [method, path] = line.split(" ");
    const headers = { authorization: `Bearer tl_TEST${role}`, "content-type": "application/json" };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await service.fetch(new Request(`http://127.0.0.1${path}`, init))).text();
  };
  const words: string[] = [];
  for (let at = 0; at < questions; at++) {
    const question = (SENTENCES[at % SENTENCES.length] ?? "%").replaceAll("%", () => {
      words.push(word());
      return words.at(-1) ?? "";
    });
    const asker = word();
    const ref = word();
    words.push(asker, ref);
    const note = { ref, asker, question, is_shared: false, reason: "nothing" };
    tell(await call("POST /gaps/questions", "editor", at % 50 === 7 ? { ...note, reason: "no reason" } : note));
    if (at % 10 === 3) tell(await call(`DELETE /gaps/questions/${ref}`, "editor"));
  }
  for (const state of ["open", "closed", "dismissed"]) tell(await call(`GET /gaps?state=${state}&most=200`, "admin"));
  const { gaps } = JSON.parse(await call("GET /gaps?most=50", "admin")) as { gaps: { gap_id: number }[] };
  for (const { gap_id: id } of gaps) tell(await call(`GET /gaps/${id}`, "admin"));
  for (const path of ["/admin/audit", "/metrics", "/openapi.json", "/admin/origins"])
    tell(await call(`GET ${path}`, "admin"));
  const shared = word();
  const note = { ref: shared, asker: "a", question: `Who keeps the ${shared}?`, is_shared: true, reason: "nothing" };
  await call("POST /gaps/questions", "editor", note);
  const files = (): string[] =>
    readdirSync(folder.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  const places: [string, string][] = [
    ...files().map((text): [string, string] => ["files", text]),
    ["told", told.join("\n")],
  ];
  await service.close();
  places.push(...files().map((text) => ["files at the end", text] as [string, string]));
  await model.close();
  const found = places.flatMap(([where, text]) => {
    const lower = text.toLowerCase();
    return words.filter((one) => lower.includes(one)).map((one) => ({ where, word: one }));
  });
  const isShared = places.some(([where, text]) => where === "files" && text.includes(shared));
  folder.remove();
  return { found, shared: isShared };
}
