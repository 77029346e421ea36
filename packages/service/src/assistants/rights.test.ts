/** Assistants of many keys at once: each sees what its own key may see, and nothing else. */
import { afterThisFile } from "@threadlore/testkit";
import { beforeAll, expect, it } from "vitest";
import { type ChatSubject, openChat, withKey } from "../chat.harness.ts";
import { addConnector, addCredential, addDocumentSet, addPair } from "../store/connectors.ts";
import { assistantOf } from "./assistant.harness.ts";

const SETS = ["finance", "people", "harbour", "kitchen"];
const ASKERS = 24;
const keyOf = (at: number): string => `tl_TESTasker${at}`;
const setOf = (at: number): string => SETS[at % SETS.length] ?? "";
const secretOf = (set: string): string => `The ${set} vault opens with the word quail${SETS.indexOf(set)}.`;

let service: ChatSubject;

beforeAll(async () => {
  const pairs = new Map<string, number>();
  service = await openChat({}, (db) => {
    const connectorId = db.transact(addConnector({ name: "Wiki", source: "web" }));
    const credentialId = db.transact(addCredential({ name: "none", source: "web" }));
    for (const set of SETS) {
      const pair = db.transact(addPair({ name: set, connectorId, credentialId, access: "public" }));
      db.transact(addDocumentSet({ name: set, pairIds: [pair] }));
      pairs.set(set, pair);
    }
    for (let at = 0; at < ASKERS; at += 1) withKey(db, keyOf(at), { documentSets: [setOf(at)] });
  });
  afterThisFile(() => service.close());
  for (const set of SETS) await service.ingest(`vault-${set}`, secretOf(set), {}, pairs.get(set));
});

it("assistants that ask at once are all answered, each with its own key's rights", async () => {
  const results = await Promise.all(
    Array.from({ length: ASKERS }, async (_, at) => {
      const client = await assistantOf(service, keyOf(at));
      const calls = [
        client.callTool({ name: "ask", arguments: { question: "Which word opens the vault?" } }),
        client.callTool({ name: "search", arguments: { query: "vault opens with the word quail", limit: 30 } }),
        ...SETS.map((set) => client.callTool({ name: "read", arguments: { document: `vault-${set}` } })),
      ];
      return { at, said: JSON.stringify(await Promise.all(calls)) };
    }),
  );
  const seen = results.map(({ said }) => SETS.filter((_, at) => said.includes(`quail${at}`)));
  expect(seen).toEqual(results.map(({ at }) => [setOf(at)]));
});
