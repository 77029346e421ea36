import { freshBrowser } from "../../testing/fake-browser.ts";
import { beforeEach, expect, it } from "vitest";
import { serviceSaying } from "../../testing/service-saying.ts";
import { keepersOf } from "./keepers.ts";
import { peopleOf } from "./people-of.ts";

beforeEach(freshBrowser);

it("are asked for by the ids the service gave the pages, and by nothing else", async () => {
  const { sent, service } = serviceSaying({
    documents: [
      { document_id: "web_1", others: 3, names: ["Ann Berg"], updated_by_others_at: "2026-11-20T09:00:00Z" },
      { document_id: "web_2", others: 0, names: [], updated_by_others_at: null },
      { document_id: "web_3", others: 2, names: [] },
    ],
  });
  const told = await keepersOf(service, ["web_1", "web_2", "web_3"]);
  expect([...told.keys()]).toEqual(["web_1", "web_3"]);
  expect(sent).toEqual([
    {
      line: "POST /document/keepers",
      key: "Bearer tl_TEST_ingestKey",
      body: JSON.stringify({ document_ids: ["web_1", "web_2", "web_3"] }),
    },
  ]);
});

it("are a hundred at a time, and none where the service does not tell", async () => {
  const ids = Array.from({ length: 150 }, (_, at) => `web_${at}`);
  const all = serviceSaying({ documents: [] });
  await keepersOf(all.service, ids);
  expect(all.sent).toHaveLength(2);
  const { sent, service } = serviceSaying({ detail: "Not Found" }, 404);
  expect((await keepersOf(service, ids)).size).toBe(0);
  expect(sent).toHaveLength(1);
});

it("is nothing of it in a private window, and where the service says nothing of it", () => {
  const me = { id: "u1", asks_people: true, untold_asks: 2, effective_permissions: ["admin"] };
  expect(peopleOf(me, false)).toEqual({ canBeAsked: true, untold: 2, mayList: true });
  expect(peopleOf(me, true)).toBeUndefined();
  expect(peopleOf({ id: "u1" }, false)).toBeUndefined();
  expect(peopleOf(undefined, false)).toBeUndefined();
});
