/**
 * Random companies in a service. After every event somebody looks around, at the end everybody does: they are shown what the
 * model says they may see and nothing else, and to the byte what a key that was made with just these rights is shown.
 */
import { randomUUID } from "node:crypto";
import { addKey, addPersonKey, revokeKey } from "../http/keys.ts";
import { createService, openTruth, type Service } from "../index.ts";
import { addDocumentSet } from "../store/connectors.ts";
import {
  addLocalPerson,
  disablePerson,
  enablePerson,
  joinGroup,
  leaveGroup,
  type Person,
  signIn,
} from "../store/people/persons.ts";
import { EVERYBODY_GROUP, groupNamed, type GroupOfRule, removeRule, setRule } from "../store/people/rules.ts";
import { Database } from "../store/sqlite/database.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { insert, run, type Steps, value } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import {
  CompanyModel,
  type Corpus,
  corpusOf,
  type Event,
  eventsOf,
  type Group,
  PEOPLE,
  PROVIDER,
  type Rights,
} from "./people-plan.harness.ts";
import { Dice } from "./world-plan.harness.ts";

/** What random companies showed. */
export interface CompaniesReport {
  companies: number;
  /** Times that somebody looked around. */
  looks: number;
  /** Documents that were found by whoever may see them. */
  finds: number;
  problems: string[];
}

interface Options {
  /** A fault that is to be found. */
  readonly prepare?: string;
  /** Where the truth is: an empty PostgreSQL database. Absent: in SQLite. */
  readonly databaseUrl?: () => Promise<string>;
}

/** Companies that have one corpus, one after another: documents are indexed once. */
const OF_ONE_CORPUS = 25;
const OWNER = "tl_TESTowner";

/** Makes and judges companies. The same seed makes the same ones. */
export async function judgeCompanies(count: number, seed: number, options: Options = {}): Promise<CompaniesReport> {
  const report: CompaniesReport = { companies: 0, looks: 0, finds: 0, problems: [] };
  while (report.companies < count) {
    const dice = new Dice(seed * 1_000_003 + report.companies);
    const corpus = corpusOf(dice);
    const opened = await open(corpus, options);
    try {
      for (let n = 0; n < OF_ONE_CORPUS && report.companies < count; n++) {
        await judgeCompany(opened, corpus, new Dice(seed * 7_000_003 + report.companies), report);
        report.companies++;
      }
    } finally {
      for (const service of opened.services) await service.close();
    }
  }
  return report;
}

interface Opened {
  /** It goes on by a second with every look, so that no wrong key is one too many. */
  readonly clock: { now: number };
  /** The instances; people come to them by turns. */
  readonly services: readonly Service[];
  readonly store: Store;
}

async function open(corpus: Corpus, { prepare, databaseUrl }: Options): Promise<Opened> {
  const clock = { now: Date.UTC(2026, 2, 1) };
  const url = await databaseUrl?.();
  const given = url === undefined ? { database: new Database(":memory:") } : await openTruth(url, ":memory:");
  const others = url === undefined ? [] : [await openTruth(url, ":memory:")];
  const store = "truth" in given ? given.truth : new SqliteStore(given.database);
  await store.write(() => filled(corpus));
  if (prepare !== undefined) given.database.sqlite.exec(prepare);
  const options = { settings: { anonymous: true }, now: () => clock.now };
  const service = createService({ ...given, ...options });
  for (const { id, pair, text, mark, secret } of corpus.documents) {
    const sections = [{ text, link: `https://docs.example.com/${secret}` }];
    const metadata = { keeper: secret };
    const document = { id, semantic_identifier: `${id} ${mark}`, source: "file", sections, metadata };
    await send(service, OWNER, "POST", "/service-api/ingestion", { document, cc_pair_id: pair });
  }
  await service.drain();
  const services = [service, ...others.map((other) => createService({ ...other, ...options }))];
  for (const one of services) await one.drain();
  return { clock, services, store };
}

function* filled({ pairs, sets }: Corpus): Steps<void> {
  yield* addKey(OWNER, { name: "owner", role: "admin" }, 0);
  for (const id of pairs.slice(1)) {
    // Some pairs are public: to whoever signed in that is nothing by itself.
    const access = id % 2 === 0 ? "public" : "private";
    yield* insert("pairs", { id, name: `Pair ${id}`, connector_id: 1, credential_id: 1, access_type: access });
  }
  for (const [name, of] of sets) yield* addDocumentSet({ name, pairIds: [...of] });
  // By these a key is made that sees just the pairs a person sees.
  for (const id of pairs) yield* addDocumentSet({ name: `only ${id}`, pairIds: [id] });
}

async function judgeCompany(opened: Opened, corpus: Corpus, dice: Dice, report: CompaniesReport) {
  const { clock, store } = opened;
  const events = eventsOf(dice, corpus);
  const model = new CompanyModel(corpus);
  const mark = `${report.companies}`;
  const people: Person[] = [];
  for (const { name, isLocal } of PEOPLE) people.push(await store.write(() => arrived(`${name}-${mark}`, isLocal)));
  const keys: MadeKey[] = [];
  const told = (problem: string): number => report.problems.push(`company ${mark}: ${problem}`);
  const look = (key: number) => {
    const looker = { key: keys[key]?.key ?? "", rights: model.rightsOf(key) };
    return judgeLook(opened, corpus, looker, report, told);
  };
  for (const event of events) {
    model.happens(event);
    await store.write(() =>
      performed(event, people, keys, { isMade: model.keys.at(-1) !== undefined, now: clock.now }),
    );
    if (keys.length > 0) await look(dice.below(keys.length));
  }
  for (let key = 0; key < keys.length; key++) await look(key);
  await store.write(() => run("DELETE FROM group_rules"));
}

function* arrived(name: string, isLocal: boolean): Steps<Person> {
  if (isLocal) return yield* addLocalPerson({ user: name }, 0);
  return (yield* signIn({ issuer: PROVIDER, subject: name, userName: name }, 0)) as Person;
}

const ruled = ([issuer, name]: Group): GroupOfRule => (issuer === "" ? EVERYBODY_GROUP : groupNamed(name, issuer));

interface MadeKey {
  readonly key: string;
  readonly id: number;
}

/** @param at whether the newest key is one (nobody gets one whose account is disabled), and when it is */
function* performed(
  event: Event,
  people: readonly Person[],
  keys: MadeKey[],
  { isMade, now }: { isMade: boolean; now: number },
): Steps<unknown> {
  const person = (at: number): Person => people[at] as Person;
  switch (event.do) {
    case "give":
      return yield* setRule(ruled(event.group), {
        role: event.role,
        documentSets: event.sets,
        pairs: event.pairs,
        ...(event.all && { seesAll: true }),
      });
    case "take":
      return yield* removeRule(ruled(event.group));
    case "join":
      return yield* joinGroup(person(event.person).id, event.name);
    case "leave":
      return yield* leaveGroup(person(event.person).id, event.name);
    case "sign in": {
      const { subject } = person(event.person);
      return yield* signIn({ issuer: PROVIDER, subject, groups: event.groups }, now);
    }
    case "disable":
      return yield* disablePerson(person(event.person).id, now);
    case "enable":
      return yield* enablePerson(person(event.person).id);
    case "make key":
      if (!isMade) return keys.push({ key: "tl_TESTnever", id: 0 });
      return keys.push({
        key: yield* addPersonKey(person(event.person), "terminal", now),
        id: yield* value<number>("SELECT max(id) FROM keys"),
      });
    case "revoke key":
      return yield* revokeKey(keys[event.key]?.id ?? 0, now);
  }
}

// ── Looking around ──────────────────────────────────────────────────────────────────────────────────────────────

const WORDS_OF_MANY = "Where is the roof, the lift and the garden that is kept by somebody?";

async function judgeLook(
  { clock, services, store }: Opened,
  corpus: Corpus,
  { key, rights }: { readonly key: string; readonly rights: Rights | undefined },
  report: CompaniesReport,
  told: (problem: string) => number,
): Promise<void> {
  const service = services[report.looks % services.length] as Service;
  report.looks++;
  clock.now += 1_000;
  const me = await send(service, key, "GET", "/me");
  if (rights === undefined) {
    if (me.status !== 401) told(`a key that is worth nothing is answered ${me.status} ${me.text}`);
    return;
  }
  const { role } = me.status === 200 ? (JSON.parse(me.text) as { role: string }) : { role: `${me.status}` };
  if (role !== rights.role) told(`a ${rights.role} is told ${me.text}`);
  const sets = JSON.parse((await send(service, key, "GET", "/manage/document-set")).text) as { name: string }[];
  const isShown = (name: string): boolean => rights.sets === null || rights.sets.has(name);
  const named = [...corpus.sets.keys(), ...corpus.pairs.map((pair) => `only ${pair}`)].filter(isShown);
  if (
    sets
      .map(({ name }) => name)
      .toSorted()
      .join() !== named.toSorted().join()
  ) {
    told(`who sees ${named.join()} is listed ${sets.map(({ name }) => name).join()}`);
  }
  const twin = `tl_TESTtwin-${randomUUID()}`;
  const documentSets = rights.sets === null ? null : [...rights.pairs].map((pair) => `only ${pair}`);
  await store.write(() => addKey(twin, { name: "twin", role: rights.role, documentSets }, 0));
  const [sought] = corpus.documents.filter(({ pair }) => rights.pairs.has(pair)).slice(report.looks % 4);
  const [hidden] = corpus.documents.filter(({ pair }) => !rights.pairs.has(pair)).slice(report.looks % 3);
  const asked: [method: string, path: string, body?: unknown][] = [
    ["POST", "/search", { query: WORDS_OF_MANY }],
    ["GET", "/query/valid-tags?limit=1000"],
    ["GET", "/service-api/ingestion"],
    ["GET", "/manage/admin/connector/status"],
  ];
  // An answer takes longer than all else.
  if (report.looks % 6 === 0)
    asked.push(["POST", "/chat/send-chat-message", { message: WORDS_OF_MANY, stream: false }]);
  if (sought !== undefined) asked.push(["POST", "/search", { query: `Who is the ${sought.mark} kept by?` }]);
  if (hidden !== undefined) {
    asked.push(
      ["POST", "/search", { query: `Who is the ${hidden.mark} kept by?` }],
      ["GET", `/document/text?document_id=${encodeURIComponent(hidden.id)}`],
      ["DELETE", `/service-api/ingestion/${encodeURIComponent(hidden.id)}?cc_pair_id=${hidden.pair}`],
      ["GET", `/manage/admin/cc-pair/${hidden.pair}`],
    );
  }
  for (const [index, [method, path, body]] of asked.entries()) {
    // By turns: what is seen is the same whoever looks how.
    const isSought = sought !== undefined && JSON.stringify(body ?? "").includes(sought.mark);
    if (!isSought && !path.startsWith("/chat/") && (index + report.looks) % 3 !== 0) continue;
    const own = await send(service, key, method, path, body);
    const other = await send(service, twin, method, path, body);
    const to = `${method} ${path} ${JSON.stringify(body ?? null)}`;
    if (own.status !== other.status || own.text !== other.text) {
      told(
        `${to} tells a person from a key of the same rights:\n${own.status} ${own.text}\n${other.status} ${other.text}`,
      );
    }
    for (const { pair, secret } of corpus.documents) {
      if (own.text.includes(secret) && !rights.pairs.has(pair)) told(`${to} shows ${secret} of pair ${pair}`);
    }
    if (isSought) {
      if (own.text.includes(sought.secret)) report.finds++;
      else told(`${to} does not show ${sought.secret}: ${own.text}`);
    }
  }
}

async function send(service: Service, key: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const request = new Request(`http://127.0.0.1${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const reply = await service.fetch(request);
  return { status: reply.status, text: settled(await reply.text()) };
}

/** Without what is drawn or counted anew for each reply. */
function settled(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replaceAll(/"((?:user_|reserved_assistant_)?message_id)":\d+/g, '"$1":0');
}
