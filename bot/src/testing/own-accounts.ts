import type { Person, Workspace } from "@threadlore/chat-workspace";
import { createClient } from "@threadlore/client";
import {
  addConnector,
  addCredential,
  addDocumentSet,
  addKey,
  addLocalPerson,
  addPair,
  Database,
  hashOfPassword,
  setPassword,
} from "@threadlore/service";
import { expect } from "vitest";
import { newSecret } from "../accounts/sealing.ts";
import { KEYS, type Knowledge } from "./running-bot.ts";

/** With it people can connect accounts. */
export const CAN_CONNECT = { ACCOUNTS_SECRET: newSecret(), QUESTIONS_PER_USER: "off", QUESTIONS_PER_WORKSPACE: "off" };

/** A key of a person's own at the embedded service; `documentSets`: all that it sees, absent: everything. */
export function personKey(
  { database }: Pick<Knowledge, "database">,
  name: string,
  documentSets?: readonly string[],
): string {
  const key = `tl_TESTof${name}`;
  const db = new Database(database);
  db.transact(addKey(key, { name, role: "ordinary", documentSets }, 0));
  db.close();
  return key;
}

const PASSWORD = "correct horse battery";
const ORIGIN = "http://127.0.0.1:8412";

/** Makes somebody at the embedded service who signs in with a password. */
export async function addPerson({ database }: Knowledge, user: string, email?: string): Promise<void> {
  const hash = await hashOfPassword(PASSWORD);
  const db = new Database(database);
  const { id } = db.transact(addLocalPerson({ user, email }, Date.now()));
  db.transact(setPassword(id, hash));
  db.close();
}

/** They sign in in a browser, and answer whoever shows this code; the status of the page then. */
export async function answerCode(
  { fetch }: Knowledge,
  user: string,
  code: string,
  answer: "agree" | "refuse",
): Promise<number> {
  let cookie = "";
  const send = async (path: string, fields: Record<string, string>): Promise<number> => {
    const headers = { origin: ORIGIN, "sec-fetch-site": "same-origin", accept: "text/html", cookie };
    const reply = await fetch(
      new Request(`${ORIGIN}${path}`, { method: "POST", headers, body: new URLSearchParams(fields) }),
    );
    cookie = reply.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return reply.status;
  };
  await send("/sign-in", { user, password: PASSWORD, next: "" });
  return send("/sign-in/device/answer", { user_code: code, answer });
}

/** A document of a test. */
export interface TestDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Makes document sets of these names; what it gives adds documents to one of them, and waits until they are found. */
export function makeSets(
  { database, fetch, service }: Knowledge,
  names: readonly string[],
): (set: string, documents: readonly TestDocument[]) => Promise<void> {
  const db = new Database(database);
  const source = "web";
  const pairs = new Map(
    names.map((name) => {
      const connectorId = db.transact(addConnector({ name, source }));
      const credentialId = db.transact(addCredential({ name, source }));
      const pair = db.transact(addPair({ name, connectorId, credentialId }));
      db.transact(addDocumentSet({ name, pairIds: [pair] }));
      return [name, pair];
    }),
  );
  db.close();
  const owner = createClient({ baseUrl: "http://127.0.0.1:8412", apiKey: KEYS.owner, fetch });
  return async (set, documents) => {
    for (const { id, title, text } of documents) {
      const sections = [{ text, link: `https://handbook.example/${id}` }];
      const document = { id, semantic_identifier: title, sections, metadata: {} };
      await owner.ingest({ document, cc_pair_id: pairs.get(set) });
    }
    await service.drain();
  };
}

/** What the Home of somebody says, as soon as it holds this. */
export async function homeWith(workspace: Workspace, person: Person, holds: string | RegExp): Promise<string> {
  const text = (): string => JSON.stringify(person.home() ?? {});
  await person.openHome();
  await workspace.until(() => text().search(holds) >= 0, 20_000).catch(() => undefined);
  expect(text()).toMatch(holds);
  return text();
}

/** Somebody pastes a token on their Home; what the form says in the end. */
export async function paste(workspace: Workspace, person: Person, token: string): Promise<string> {
  await homeWith(workspace, person, "account_connect");
  for (const open of person.modals().toReversed()) await person.dismiss(open.id);
  await person.press({ viewId: String(person.home()?.["id"]) }, "account_connect");
  await workspace.until(() => person.modals().length > 0);
  return submitToken(workspace, person, token);
}

/** The same in the form that is open. */
export async function submitToken(workspace: Workspace, person: Person, token: string): Promise<string> {
  const form = person.modals().at(-1);
  if (form === undefined) throw new Error("No form is open.");
  const reply = await person.submit(form.id, { token });
  if (reply?.["response_action"] === "errors") return JSON.stringify(reply);
  const text = (): string => JSON.stringify(person.modals().at(-1) ?? {});
  await workspace.until(() => !text().includes("trying it"), 20_000);
  return text();
}

/** Somebody connects their account. */
export async function connectAccount(workspace: Workspace, person: Person, token: string): Promise<void> {
  expect(await paste(workspace, person, token)).toContain("Connected as");
  await homeWith(workspace, person, "Connected as");
}

/** Somebody disconnects it. */
export async function disconnectAccount(workspace: Workspace, person: Person): Promise<void> {
  await homeWith(workspace, person, "account_disconnect");
  await person.press({ viewId: String(person.home()?.["id"]) }, "account_disconnect");
  await workspace.until(() => !JSON.stringify(person.home()).includes("account_disconnect"), 20_000);
}
