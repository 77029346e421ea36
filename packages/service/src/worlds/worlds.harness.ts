/**
 * Random worlds of pairs, document sets and keys, in which documents of the same ids are written, replaced and deleted
 * in any order, by anybody. A model that knows nothing of the service says who may see what; and for each limited reader
 * there is a twin of the world without the texts hidden from them, in which every reply has to be the same.
 */
import { createService, openTruth, type Service } from "../index.ts";
import { addKey } from "../http/keys.ts";
import { noteChange } from "../store/changes.ts";
import { addDocumentSet } from "../store/connectors.ts";
import { Database } from "../store/sqlite/database.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { insert, type Steps, value } from "../store/steps.ts";
import {
  Dice,
  type Key,
  modelOf,
  type Plan,
  planOf,
  type Step,
  stepsSeenBy,
  type Truth,
  WORDS,
  type Written,
} from "./world-plan.harness.ts";

/** What random worlds showed. */
export interface WorldsReport {
  worlds: number;
  /** Replies that were judged. */
  replies: number;
  /** Replies to limited readers that found something. */
  finds: number;
  /** One line per finding; empty when nobody saw what they may not, and everybody what they may. */
  problems: string[];
}

/** How worlds are made. */
interface WorldsOptions {
  /** Something to be done to each database first, such as a fault that is to be found. */
  readonly prepare?: (db: Database) => void;
  /** Where the truth of each is: a PostgreSQL database without data. Absent: in SQLite. */
  readonly databaseUrl?: () => Promise<string>;
  /** Ends such a database. Default: it stays. */
  readonly dropDatabase?: (url: string) => Promise<void>;
}

/** Makes and judges worlds. The same seed makes the same ones. */
export async function judgeWorlds(count: number, seed: number, options: WorldsOptions = {}): Promise<WorldsReport> {
  const report: WorldsReport = { worlds: 0, replies: 0, finds: 0, problems: [] };
  for (; report.worlds < count; report.worlds++) {
    const dice = new Dice(seed * 1_000_003 + report.worlds);
    const plan = planOf(dice);
    const told = (problem: string): number => report.problems.push(`world ${report.worlds}: ${problem}`);
    const truth = modelOf(plan);
    const whole = await play(plan, { steps: plan.steps, held: plan.held, readers: plan.keys, truth, options });
    for (const reader of plan.keys) judge(plan, truth, reader, whole, report, told);
    for (const reader of plan.keys.filter((key) => key.role !== "admin")) {
      const steps = stepsSeenBy(plan, truth, reader);
      const twin = await play(plan, { steps, held: undefined, readers: [reader], truth, options });
      compare(reader, whole, twin, told);
    }
  }
  return report;
}

// ── Playing ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Replies by who got them, each with what it answers. */
type Replies = ReadonlyMap<Key, readonly { readonly to: string; readonly status: number; readonly text: string }[]>;

interface Play {
  readonly steps: readonly Step[];
  readonly held: Written | undefined;
  /** Who looks around at the end. */
  readonly readers: readonly Key[];
  readonly truth: Truth;
  readonly options: WorldsOptions;
}

async function play(plan: Plan, { steps, held, readers, truth, options }: Play): Promise<Replies> {
  const url = await options.databaseUrl?.();
  const given = url === undefined ? { database: new Database(":memory:") } : await openTruth(url, ":memory:");
  const store = "truth" in given ? given.truth : new SqliteStore(given.database);
  await store.write(() => prepared(plan, held));
  options.prepare?.(given.database);
  const service = createService({
    ...given,
    settings: { anonymous: true, evenMs: 0 },
    now: () => Date.UTC(2026, 2, 1),
  });
  const replies = new Map<Key, { to: string; status: number; text: string }[]>();
  const call = async (by: Key, method: string, path: string, body?: unknown): Promise<void> => {
    const { status, text } = await send(service, by, method, path, body);
    const of = replies.get(by) ?? [];
    replies.set(by, [...of, { to: `${method} ${path} ${JSON.stringify(body ?? null)}`, status, text: settled(text) }]);
  };
  for (const step of steps) {
    if ("ingest" in step) await call(step.by, "POST", "/service-api/ingestion", requestOf(step.ingest));
    else {
      const of = step.of === undefined ? "" : `?cc_pair_id=${step.of}`;
      await call(step.by, "DELETE", `/service-api/ingestion/${encodeURIComponent(step.remove)}${of}`);
    }
    await service.drain();
  }
  for (const reader of readers) {
    for (const path of pathsOf(plan)) await call(reader, "GET", path);
    for (const question of questionsOf(plan, truth)) {
      await call(reader, "POST", "/chat/send-chat-message", question);
    }
  }
  await service.close();
  if (url !== undefined) await options.dropDatabase?.(url);
  return replies;
}

function* prepared({ pairs, sets, keys }: Plan, held: Written | undefined): Steps<void> {
  for (const { id, isPublic } of pairs) {
    const access = isPublic ? "public" : "private";
    yield* insert("pairs", { id, name: `Pair ${id}`, connector_id: 1, credential_id: 1, access_type: access });
  }
  for (const { name, pairs: of } of sets) yield* addDocumentSet({ name, pairIds: of });
  for (const { name, role, sets: of } of keys) {
    if (role !== "anonymous") yield* addKey(`tl_TEST${name}`, { name, role, ...(of && { documentSets: [...of] }) }, 0);
  }
  if (held === undefined) return;
  const sequence = yield* value<number>({ sqlite: "SELECT 1", postgres: "SELECT nextval('writes')" });
  const number = yield* value<number>(
    `INSERT INTO documents (id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
     VALUES (?, ?, ?, ?, 'file', ?, '{}', 0, 'pending') RETURNING number`,
    held.id,
    sequence,
    titleOf(held),
    titleOf(held),
    JSON.stringify([{ text: held.text, link: linkOf(held) }]),
  );
  yield* insert("queue", { document: number, sequence });
  for (const pair of new Set([1, held.pair])) yield* insert("held_pairs", { document: number, pair_id: pair });
  yield* noteChange(number);
}

const titleOf = ({ id, secret }: Written): string => `${id} ${secret}`;
const linkOf = ({ secret }: Written): string => `https://docs.example.com/${secret}`;

function requestOf(written: Written): Record<string, unknown> {
  const sections = [{ text: written.text, link: linkOf(written) }];
  const metadata = { keeper: written.secret };
  const document = { id: written.id, semantic_identifier: titleOf(written), source: "file", sections, metadata };
  return { document, cc_pair_id: written.pair };
}

function pathsOf({ pairs }: Plan): string[] {
  const fixed =
    "/service-api/ingestion /manage/admin/connector/status /manage/document-set /persona /me /tool " +
    "/query/valid-tags?limit=1000 /chat/get-user-chat-sessions?page_size=1";
  const ofPairs = [1, ...pairs.map(({ id }) => id)].flatMap((id) => [
    `/manage/admin/cc-pair/${id}`,
    `/service-api/connector-docs/${id}`,
  ]);
  return [...fixed.split(" "), ...ofPairs];
}

/** Marks that are asked for in one world. */
const MAX_ASKED = 4;

/** The same for every reader: marks there are, and words that many texts share. */
function questionsOf({ steps }: Plan, { documents, held, secrets }: Truth): Record<string, unknown>[] {
  const marks = [...(held === undefined ? [] : [held]), ...documents].map(({ mark }) => mark).slice(0, MAX_ASKED);
  const [first = "lift", second = "desk"] = marks;
  const common = WORDS[(steps.length + secrets.size) % WORDS.length] ?? "lift";
  return [
    ...marks.map((mark) => ({ message: askedOf(mark), stream: false })),
    { message: `Who is ${first} kept by, and who is ${second} kept by?`, stream: true },
    { message: `Where is the ${common} of the lift and the roof?`, stream: true },
    { message: `Which ${common} is there?`, stream: false, deep_research: true },
  ];
}

const askedOf = (mark: string): string => `Who is the ${mark} kept by?`;

async function send(service: Service, by: Key, method: string, path: string, body: unknown) {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (by.role !== "anonymous") headers["authorization"] = `Bearer tl_TEST${by.name}`;
  const request = new Request(`http://127.0.0.1${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const reply = await service.fetch(request);
  return { status: reply.status, text: await reply.text() };
}

/** Without what is drawn or counted anew for each reply. */
function settled(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
      // Drawn anew for every database.
      .replaceAll(/"instance":\{"id":"[0-9a-f]{32}","epoch":"[0-9a-f]{32}"\}/g, '"instance":"RANDOM"')
      .replaceAll(/"((?:user_|reserved_assistant_)?message_id)":\d+/g, '"$1":0')
  );
}

// ── Judging ─────────────────────────────────────────────────────────────────────────────────────────────────────

type Tell = (problem: string) => number;

function judge(plan: Plan, truth: Truth, reader: Key, whole: Replies, report: WorldsReport, told: Tell): void {
  const seen = truth.visible.get(reader) ?? new Set();
  const shown = truth.documents.filter(({ pair }) => seen.has(pair));
  if (reader.sets === null && truth.held !== undefined) shown.push(truth.held);
  const mayShow = new Set(shown.map(({ secret }) => secret));
  const replies = [...(whole.get(reader) ?? [])];
  report.replies += replies.length;
  for (const { to, text } of replies) {
    const leaked = (text.match(/secret\d+x/g) ?? []).find((secret) => !mayShow.has(secret));
    if (leaked !== undefined) told(`${reader.name} was shown ${leaked} by ${to}`);
  }
  for (const [index, step] of plan.steps.entries()) {
    if (step.by !== reader) continue;
    const reply = replies.shift();
    const { status, existed } = truth.outcomes[index] ?? {};
    const says = existed === undefined || reply?.text.includes(`"already_existed":${existed}`) === true;
    if (reply?.status !== status || !says) told(`${reader.name}: ${reply?.to} is ${reply?.status} ${reply?.text}`);
  }
  const replyTo = (what: string): string => replies.find(({ to }) => to.includes(what))?.text ?? "";
  for (const one of shown) {
    const answer = replyTo(askedOf(one.mark));
    if (answer === "") continue;
    if (answer.includes(one.secret)) report.finds++;
    else told(`${reader.name} was not told about ${one.mark}: ${answer}`);
  }
  for (const { to, text } of replies) if (to.includes('"stream":false')) judgeCitations(reader, text, told);
  if (reader.role === "admin" || reader.role === "editor") judgeListings(reader, shown, truth.documents, replyTo, told);
}

/** Whatever a text says is kept by somebody stands under the citation of the document that says so. */
function judgeCitations(reader: Key, text: string, told: Tell): void {
  const { answer, top_documents, citation_info } = JSON.parse(text) as {
    answer: string;
    top_documents: { document_id: string; link: string }[];
    citation_info: { citation_number: number; document_id: string }[];
  };
  const ids = top_documents.map((document) => document.document_id);
  if (new Set(ids).size < ids.length) told(`${reader.name} was given two documents of one name: ${ids.join(", ")}`);
  for (const [, quoted = "", number, link = ""] of answer.matchAll(/([^\]]*?) \[\[(\d+)\]\]\(([^)]*)\)/g)) {
    const cited = citation_info.find((citation) => citation.citation_number === Number(number))?.document_id;
    const document = top_documents.find((one) => one.document_id === cited);
    const strange = (quoted.match(/secret\d+x/g) ?? []).some((secret) => !link.endsWith(secret));
    if (document?.link !== link || strange) told(`${reader.name} was told "${quoted}" under ${link} and ${cited}`);
  }
}

function judgeListings(
  reader: Key,
  shown: readonly Written[],
  placed: readonly Written[],
  replyTo: (what: string) => string,
  told: Tell,
): void {
  const listed = JSON.parse(replyTo("GET /service-api/ingestion ")) as { document_id: string; semantic_id: string }[];
  const names = listed.map(({ document_id, semantic_id }) => `${document_id} ${semantic_id}`);
  const expected = shown.map((one) => `${one.id} ${titleOf(one)}`);
  if (names.toSorted().join() !== expected.toSorted().join()) {
    told(`${reader.name} was listed ${names.join()} instead of ${expected.join()}`);
  }
  const pairs = JSON.parse(replyTo("GET /manage/admin/connector/status")) as {
    cc_pair_id: number;
    documents: { indexed: number; pending: number; failed: number };
  }[];
  for (const { cc_pair_id: pair, documents } of pairs) {
    const count = placed.filter((one) => one.pair === pair).length;
    const said = documents.indexed + documents.pending + documents.failed;
    if (said !== count) told(`${reader.name} was told that pair ${pair} has ${said} documents instead of ${count}`);
  }
}

/** The twin knows nothing of what is hidden from the reader; if the reader can tell them apart, something leaked. */
function compare(reader: Key, whole: Replies, twin: Replies, told: Tell): void {
  const [own, other] = [whole.get(reader) ?? [], twin.get(reader) ?? []];
  for (const [index, { to, status, text }] of own.entries()) {
    const there = other[index];
    if (there?.to === to && there.status === status && there.text === text) continue;
    told(`${reader.name} can tell what is hidden by ${to}:\n${text}\n${there?.text}`);
  }
  if (own.length !== other.length) told(`${reader.name} got ${own.length} replies, in the twin ${other.length}`);
}
