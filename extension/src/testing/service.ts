import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { createKeptAnswers } from "@threadlore/client/kept";
import {
  addConnector,
  addCredential,
  addLocalPerson,
  addPair,
  createPairing,
  Database,
  disablePerson,
  EVERYBODY_GROUP,
  hashOfPassword,
  listKeys,
  personCalled,
  revokeKey,
  type ServiceOptions,
  setPassword,
  setRule,
} from "@threadlore/service";
import { serve } from "@threadlore/service/serve";
import { type HandbookPage, temporaryFolder } from "@threadlore/testkit";
import type { ExtensionBrowser } from "./chromium.ts";
import type { FirefoxBrowser } from "./firefox.ts";

/** The embedded service on a free port of this machine. */
export interface TestService {
  readonly url: string;
  /** Path of its database, for another service to go on with. */
  readonly database: string;
  /** A code as the terminal shows it. */
  pairingCode(): string;
  /** Every document it has, and how often each was written. */
  documents(): Promise<{ document_id: string; semantic_id: string }[]>;
  /** Adds a page that everybody sees. */
  add(page: HandbookPage): Promise<void>;
  /** Adds what somebody answered, as the bot keeps it, and resolves when it can be found. */
  keepAnswer(question: string, answer: string): Promise<void>;
  /** What owners of kept answers are to be asked about: each as `question < document`. */
  doubts(): Promise<string[]>;
  /** Adds a place for pages that only some see, and gives its number. */
  addPair(name: string): number;
  /** Makes an account for somebody, with `PASSWORD`. */
  addPerson(user: string, email: string): Promise<void>;
  /** Lets everybody who has an account keep pages in a pair. */
  letKeep(pair: number): void;
  /** Ends somebody's account. */
  disablePerson(user: string): void;
  /** Makes the key of every extension worthless. */
  revokeKeys(): void;
  /** Resolves when everything ingested can be found. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** The password of everybody who has an account. */
export const PASSWORD = "correct horse battery";

/** The owner's key of every service of tests. */
const OWNER_KEY = ["tl", "TESTowner"].join("_");

const asOwner = (baseUrl: string) => ({ baseUrl, apiKey: OWNER_KEY });

/** How it is started. */
export interface TestServiceOptions extends Partial<Omit<ServiceOptions, "database">> {
  /** Path of its file, which stays for another service to go on with. Default: a new one, there until the test file ends. */
  readonly database?: string;
  /** Default: any free one. */
  readonly port?: number;
}

/** Starts the embedded service over a database of its own. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? join(temporaryFolder(), "threadlore.db");
  const running = await serve({ apiKey: OWNER_KEY, port: 0, ...options, database });
  const withDatabase = <Result>(work: (db: Database) => Result): Result => {
    const db = new Database(database);
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  return {
    url: running.url,
    database,
    pairingCode: () => withDatabase((db) => db.transact(createPairing(Date.now()))),
    async add({ id, title, text, link, updatedAt }) {
      const document = { id, semantic_identifier: title, source: "web", sections: [{ text, link }], metadata: {} };
      const reply = await fetch(`${running.url}/service-api/ingestion`, {
        method: "POST",
        headers: { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ document: { ...document, doc_updated_at: updatedAt }, cc_pair_id: 1 }),
      });
      if (!reply.ok) throw new Error(`The service took no document: ${reply.status} ${await reply.text()}`);
    },
    async keepAnswer(question, answer) {
      const [at, link] = ["2026-03-02T09:00:00Z", "https://chat.example.com/archives/C1/p1772442000000100"];
      const metadata = { kept: "answer", question, owner: "Nora Quist", owner_ref: "T1:U1", kept_at: at };
      await createClient(asOwner(running.url)).ingest({
        document: {
          semantic_identifier: question,
          source: "slack",
          sections: [{ text: answer, link }],
          metadata,
          doc_updated_at: at,
        },
        cc_pair_id: 1,
      });
      await running.service.drain();
    },
    async doubts() {
      const { kept_answers: kept } = await createKeptAnswers(asOwner(running.url)).list();
      return kept.flatMap(({ question, doubts }) => doubts.map(({ title }) => `${question} < ${title}`));
    },
    addPair: (name) =>
      withDatabase((db) => {
        const connectorId = db.transact(addConnector({ name, source: "web" }));
        const credentialId = db.transact(addCredential({ name, source: "web" }));
        return db.transact(addPair({ name, connectorId, credentialId, access: "private" }));
      }),
    async addPerson(user, email) {
      const hash = await hashOfPassword(PASSWORD);
      withDatabase((db) => db.transact(setPassword(db.transact(addLocalPerson({ user, email }, Date.now())).id, hash)));
    },
    letKeep: (pair) => withDatabase((db) => db.transact(setRule(EVERYBODY_GROUP, { role: "editor", pairs: [pair] }))),
    disablePerson: (user) =>
      withDatabase((db) => {
        const person = db.perform(personCalled(user));
        if (person !== undefined) db.transact(disablePerson(person.id, Date.now()));
      }),
    revokeKeys: () =>
      withDatabase((db) => {
        for (const { id, origin } of db.perform(listKeys()))
          if (origin !== null) db.transact(revokeKey(id, Date.now()));
      }),
    async documents() {
      const reply = await fetch(`${running.url}/service-api/ingestion`, {
        headers: { authorization: `Bearer ${OWNER_KEY}` },
      });
      return (await reply.json()) as { document_id: string; semantic_id: string }[];
    },
    drain: () => running.service.drain(),
    close: () => running.close(),
  };
}

/**
 * Pairs the extension with the service and sets it up to keep pages in the service's first pair, as if the person had
 * said who sees it. What the first-run page does by hand; that page has its own test.
 */
export async function pairExtension(
  browser: ExtensionBrowser,
  service: TestService,
  settings: Record<string, unknown> = { pairId: 1, pairName: "Pages", pairIsPublic: false },
): Promise<string> {
  const worker = await browser.worker();
  return worker.evaluate(
    async ([url, code, chosen]) => {
      const reply = await fetch(`${url}/pairing`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }),
      });
      const { api_key: key } = (await reply.json()) as { api_key: string };
      const { chrome } = globalThis as unknown as {
        chrome: { storage: { local: { set(values: object): Promise<void> } } };
      };
      await chrome.storage.local.set({
        settings: { version: 1, baseUrl: url, ...chosen },
        keys: { origin: url, askKey: key, ingestKey: "" },
      });
      return key;
    },
    [service.url, service.pairingCode(), settings] as const,
  );
}

/** The same in Firefox. */
export async function pairFirefox(firefox: FirefoxBrowser, service: TestService): Promise<void> {
  await firefox.inExtension(
    async (url, code) => {
      const reply = await fetch(`${url}/pairing`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }),
      });
      const { api_key: key } = (await reply.json()) as { api_key: string };
      const { browser } = globalThis as unknown as {
        browser: { storage: { local: { set(values: object): Promise<void> } } };
      };
      await browser.storage.local.set({
        settings: { version: 1, baseUrl: url, pairId: 1, pairName: "Pages", pairIsPublic: false },
        keys: { origin: url, askKey: key, ingestKey: "" },
      });
    },
    service.url,
    service.pairingCode(),
  );
}
