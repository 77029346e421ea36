/**
 * Random companies in a service. After every event somebody looks around, at the end everybody does: they are shown what the
 * model says they may see and nothing else, and to the byte what a key that was made with just these rights is shown.
 */
import { randomUUID } from "node:crypto";
import { addKey, addPersonKey, createPairing, redeemPairing, revokeKey } from "../http/keys.ts";
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
import { asksOf, PANEL_ORIGIN, send, type Told, type Way } from "./looks.harness.ts";
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
import { Talks } from "./talks.harness.ts";
import { Dice } from "./world-plan.harness.ts";

/** What random companies showed. */
export interface CompaniesReport {
  companies: number;
  /** Times that somebody looked around. */
  looks: number;
  /** Documents that were found by whoever may see them. */
  finds: number;
  /** Answers in conversations whose person had lost what they were begun about. */
  afterLoss: number;
  problems: string[];
}

interface Options {
  /** A fault that is to be found, of the database. */
  readonly prepare?: string;
  /** A fault that is to be found, of one way: with which key a request is made in the place of somebody's own. */
  readonly misled?: (path: string, ownerKey: string) => string | undefined;
  /** Ways that are looked by. Default: all. */
  readonly ways?: readonly Way[];
  /** The first company: by these several processes share the work. Default 0. */
  readonly from?: number;
  /** Where the truth is: an empty PostgreSQL database. Absent: in SQLite. */
  readonly databaseUrl?: () => Promise<string>;
}

/** Companies that have one corpus, one after another: documents are indexed once. */
const OF_ONE_CORPUS = 25;
const OWNER = "tl_TESTowner";

/** Makes and judges companies. The same seed makes the same ones. */
export async function judgeCompanies(count: number, seed: number, options: Options = {}): Promise<CompaniesReport> {
  const report: CompaniesReport = { companies: 0, looks: 0, finds: 0, afterLoss: 0, problems: [] };
  const from = options.from ?? 0;
  while (report.companies < count) {
    const dice = new Dice(seed * 1_000_003 + from + report.companies);
    const corpus = corpusOf(dice);
    const opened = await open(corpus, options);
    try {
      for (let n = 0; n < OF_ONE_CORPUS && report.companies < count; n++) {
        const number = from + report.companies;
        await judgeCompany(opened, corpus, { dice: new Dice(seed * 7_000_003 + number), number }, report);
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
  readonly ways: readonly Way[];
}

const WAYS: readonly Way[] = ["search", "answer", "listing", "document", "session", "mcp", "panel"];

async function open(corpus: Corpus, options: Options): Promise<Opened> {
  const { prepare, databaseUrl, misled, ways = WAYS } = options;
  const clock = { now: Date.UTC(2026, 2, 1) };
  const url = await databaseUrl?.();
  const given = url === undefined ? { database: new Database(":memory:") } : await openTruth(url, ":memory:");
  const others = url === undefined ? [] : [await openTruth(url, ":memory:")];
  const store = "truth" in given ? given.truth : new SqliteStore(given.database);
  await store.write(() => filled(corpus));
  if (prepare !== undefined) given.database.sqlite.exec(prepare);
  const told = { settings: { anonymous: true, evenMs: 0 }, now: () => clock.now };
  const service = createService({ ...given, ...told });
  for (const { id, pair, text, mark, secret } of corpus.documents) {
    const sections = [{ text, link: `https://docs.example.com/${secret}` }];
    const metadata = { keeper: secret };
    const document = { id, semantic_identifier: `${id} ${mark}`, source: "file", sections, metadata };
    await send(service, OWNER, "POST", "/service-api/ingestion", { document, cc_pair_id: pair });
  }
  await service.drain();
  const services = [service, ...others.map((other) => createService({ ...other, ...told }))];
  for (const one of services) await one.drain();
  return { clock, services: misled === undefined ? services : services.map(misledBy(misled)), store, ways };
}

/** A service that takes some requests for somebody else's. */
const misledBy =
  (misled: NonNullable<Options["misled"]>) =>
  (service: Service): Service => ({
    ...service,
    fetch: (request) => {
      const key = misled(new URL(request.url).pathname, OWNER);
      if (key !== undefined) request.headers.set("authorization", `Bearer ${key}`);
      return service.fetch(request);
    },
  });

function* filled({ pairs, sets }: Corpus): Steps<void> {
  yield* addKey(OWNER, { name: "owner", role: "admin" }, 0);
  yield* redeemPairing(yield* createPairing(0), PANEL_ORIGIN, 1);
  for (const id of pairs.slice(1)) {
    // Some pairs are public: to whoever signed in that is nothing by itself.
    const access = id % 2 === 0 ? "public" : "private";
    yield* insert("pairs", { id, name: `Pair ${id}`, connector_id: 1, credential_id: 1, access_type: access });
  }
  for (const [name, of] of sets) yield* addDocumentSet({ name, pairIds: [...of] });
  // By these a key is made that sees just the pairs a person sees.
  for (const id of pairs) yield* addDocumentSet({ name: `only ${id}`, pairIds: [id] });
}

async function judgeCompany(
  opened: Opened,
  corpus: Corpus,
  { dice, number }: { readonly dice: Dice; readonly number: number },
  report: CompaniesReport,
) {
  const { clock, store } = opened;
  const events = eventsOf(dice, corpus);
  const model = new CompanyModel(corpus);
  const mark = `${number}`;
  const people: Person[] = [];
  for (const { name, isLocal } of PEOPLE) {
    people.push(await store.write(() => arrived(`${name}-${mark}`, isLocal, clock.now)));
  }
  const keys: MadeKey[] = [];
  const told = (problem: string): number => report.problems.push(`company ${mark}: ${problem}`);
  const talks = new Talks(corpus, told);
  const look = (key: number) => {
    const looker = { key: keys[key]?.key ?? "", person: model.keys[key], rights: model.rightsOf(key) };
    return judgeLook(opened, { corpus, talks }, looker, report, told);
  };
  for (const event of events) {
    model.happens(event);
    await store.write(() =>
      performed(event, people, keys, { isMade: model.keys.at(-1) !== undefined, now: clock.now }),
    );
    if (keys.length > 0) await look(dice.below(keys.length));
  }
  for (let key = 0; key < keys.length; key++) await look(key);
  report.afterLoss += talks.afterLoss;
  await store.write(() => run("DELETE FROM group_rules"));
}

function* arrived(name: string, isLocal: boolean, now: number): Steps<Person> {
  if (isLocal) return yield* addLocalPerson({ user: name }, now);
  return (yield* signIn({ issuer: PROVIDER, subject: name, userName: name }, now)) as Person;
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

/** Who looks around. */
interface Looker {
  readonly key: string;
  /** Whose the key is; undefined: nobody's any more. */
  readonly person: number | undefined;
  readonly rights: Rights | undefined;
}

async function judgeLook(
  { clock, services, store, ways }: Opened,
  { corpus, talks }: { readonly corpus: Corpus; readonly talks: Talks },
  { key, person, rights }: Looker,
  report: CompaniesReport,
  told: (problem: string) => number,
): Promise<void> {
  const service = services[report.looks % services.length] as Service;
  const turn = ++report.looks;
  clock.now += 1_000;
  const me = await send(service, key, "GET", "/me");
  if (rights === undefined || person === undefined) {
    if (me.status !== 401) told(`a key that is worth nothing is answered ${me.status} ${me.text}`);
    return;
  }
  if (ways.includes("listing")) {
    const { role } = me.status === 200 ? (JSON.parse(me.text) as { role: string }) : { role: `${me.status}` };
    if (role !== rights.role) told(`a ${rights.role} is told ${me.text}`);
    judgeSets(corpus, rights, await send(service, key, "GET", "/manage/document-set"), told);
  }
  if (ways.includes("mcp") && turn % 12 === 8) {
    judgeSources(corpus, rights, await assistantSources(service, key), told);
  }
  if (ways.includes("session")) await talks.look({ service, key, person, rights, turn });
  const asked = asksOf({ corpus, rights, turn }).filter(({ way }) => ways.includes(way));
  if (asked.length === 0) return;
  const twin = `tl_TESTtwin-${randomUUID()}`;
  const documentSets = rights.sets === null ? null : [...rights.pairs].map((pair) => `only ${pair}`);
  await store.write(() => addKey(twin, { name: "twin", role: rights.role, documentSets }, 0));
  for (const { to, sought, send: sent } of asked) {
    const own = await sent(service, key);
    const other = await sent(service, twin);
    if (own.status !== other.status || own.text !== other.text) {
      told(
        `${to} tells a person from a key of the same rights:\n${own.status} ${own.text}\n${other.status} ${other.text}`,
      );
    }
    const said = new Set(own.text.match(/secret\d+x/g));
    for (const { pair, secret } of corpus.documents) {
      if (said.has(secret) && !rights.pairs.has(pair)) told(`${to} shows ${secret} of pair ${pair}`);
    }
    if (sought === undefined) continue;
    if (own.text.includes(sought.secret)) report.finds++;
    else told(`${to} does not show ${sought.secret}: ${own.text}`);
  }
}

/** Names of the sets somebody sees: also of those by which keys of the same rights are made. */
function setsShown(corpus: Corpus, { sets }: Rights): { readonly shown: string[]; readonly others: string[] } {
  const all = [...corpus.sets.keys(), ...corpus.pairs.map((pair) => `only ${pair}`)];
  const isShown = (name: string): boolean => sets === null || sets.has(name);
  return { shown: all.filter(isShown), others: all.filter((name) => !isShown(name)) };
}

function judgeSets(corpus: Corpus, rights: Rights, { text }: Told, told: (problem: string) => number): void {
  const { shown } = setsShown(corpus, rights);
  const listed = (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
  if (listed.toSorted().join() !== shown.toSorted().join()) {
    told(`who sees ${shown.join()} is listed ${listed.join()}`);
  }
}

const assistantSources = (service: Service, key: string): Promise<Told> =>
  send(service, key, "POST", "/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "resources/read",
    params: { uri: "threadlore://sources" },
  });

function judgeSources(corpus: Corpus, rights: Rights, { text }: Told, told: (problem: string) => number): void {
  const { shown, others } = setsShown(corpus, rights);
  const missing = shown.find((name) => !text.includes(name));
  const hidden = others.find((name) => text.includes(name));
  if (missing !== undefined || hidden !== undefined) {
    told(`who sees ${shown.join()} reads as an assistant what can be asked: ${text}`);
  }
}
