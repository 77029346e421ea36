import { describe, expect, it } from "vitest";
import { addKey, addPersonKey } from "../http/keys.ts";
import { createService, Database } from "../index.ts";
import { addConnector, addCredential, addPair } from "../store/connectors.ts";
import { addLocalPerson, joinGroup } from "../store/people/persons.ts";
import { groupNamed, setRule } from "../store/people/rules.ts";

const EXTENSION = `chrome-extension://${"a".repeat(32)}`;
const [ADMIN, SITE] = ["tl_TEST_admin", "tl_TEST_site"];

function started() {
  const db = new Database(":memory:");
  db.transact(addKey(ADMIN, { name: "owner", role: "admin" }, 0));
  db.transact(addKey(SITE, { name: "site", user: "site", role: "editor" }, 0));
  db.transact(setRule(groupNamed("keepers"), { role: "editor", seesAll: true }));
  const person = (user: string, name: string): string => {
    const added = db.transact(addLocalPerson({ user, name }, 0));
    db.transact(joinGroup(added.id, "keepers"));
    return db.transact(addPersonKey(added, "extension", 0, EXTENSION));
  };
  const keys = { ann: person("ann", "Ann Berg"), bo: person("bo", "Bo Lind"), cy: person("cy", "Cy Moe") };
  let moment = 1_000_000;
  const service = createService({ database: db, now: () => (moment += 1_000), settings: { evenMs: 0 } });
  const call = async (key: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const given = { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers };
    const request = new Request(`http://127.0.0.1${path}`, {
      method: "POST",
      headers: given,
      body: JSON.stringify(body),
    });
    const reply = await service.fetch(request);
    return (await reply.json()) as Record<string, unknown>;
  };
  const keep = (key: string, id: string, more: { pair?: number; origin?: string } = {}) =>
    call(
      key,
      "/service-api/ingestion",
      {
        document: { id, semantic_identifier: id, sections: [{ text: id }], source: "web", metadata: {} },
        ...(more.pair !== undefined && { cc_pair_id: more.pair }),
      },
      more.origin === "" ? {} : { origin: more.origin ?? EXTENSION },
    );
  const keepers = async (key: string, ...ids: string[]) =>
    (await call(key, "/document/keepers", { document_ids: ids }))["documents"];
  return { db, service, keys, keep, keepers, call };
}

describe("who else keeps a page", () => {
  it("is told to whoever keeps it: how many, and to people with accounts the names of those who have one", async () => {
    const { service, keys, keep, keepers } = started();
    for (const key of [keys.ann, keys.bo, ADMIN]) await keep(key, "page");
    await keep(SITE, "page", { origin: "" });
    expect(await keepers(keys.ann, "page", "other")).toMatchObject([
      { document_id: "page", others: 2, names: ["Bo Lind"], updated_by_others_at: expect.any(String) },
    ]);
    expect(await keepers(ADMIN, "page")).toEqual([
      { document_id: "page", others: 2, names: [], updated_by_others_at: null },
    ]);
    await service.close();
  });

  it("is told to nobody who does not keep it, or may not see where it is kept", async () => {
    const { db, service, keys, keep, keepers, call } = started();
    await keep(keys.ann, "page");
    expect(await keepers(keys.cy, "page")).toEqual([]);
    expect(await keepers(SITE, "page")).toEqual([]);
    await keep(keys.cy, "page");
    db.transact(setRule(groupNamed("keepers"), { seesAll: false }));
    expect(await keepers(keys.cy, "page")).toEqual([]);
    expect(JSON.stringify(await call(keys.cy, "/search", { query: "page" }))).not.toContain("Ann");
    await service.close();
  });

  it("is told by the pair: the same page in another place is another one", async () => {
    const { db, service, keys, keep, keepers } = started();
    const connectorId = db.transact(addConnector({ name: "other", source: "web" }));
    const credentialId = db.transact(addCredential({ name: "other", source: "web" }));
    const pair = db.transact(addPair({ name: "other", connectorId, credentialId }));
    await keep(keys.ann, "page");
    await keep(keys.bo, "page", { pair });
    expect(await keepers(keys.ann, "page")).toMatchObject([{ others: 0, names: [] }]);
    await service.close();
  });

  it("ends with the page", async () => {
    const { db, service, keys, keep } = started();
    await keep(keys.ann, "page");
    await service.fetch(
      new Request("http://127.0.0.1/service-api/ingestion/page", {
        method: "DELETE",
        headers: { authorization: `Bearer ${keys.ann}` },
      }),
    );
    expect(db.get("SELECT count(*) AS kept FROM document_keepers")).toEqual({ kept: 0 });
    await service.close();
  });
});
