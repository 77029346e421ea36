import { expect, it } from "vitest";
import { serviceSaying } from "../../testing/service-saying.ts";
import { changedBy, nearTo } from "./near.ts";

const NEAR = {
  document_id: "kept-1",
  question: "How many people have to be aboard the Gannet?",
  owner: "Nora Quist",
  owner_ref: "T1:U1",
  link: "https://chat.example.com/archives/C1/p1",
  says: "Nobody takes the Gannet out without three colleagues any more.",
  kept_says: "Two people have to be aboard the Gannet inside the harbour.",
};
const KEPT = { ...NEAR, channel: "#boats", updated_at: "2026-03-02T09:00:00Z", confirmed_at: null, doubts: [] };

it("is looked for by the id the service gave the page, with the key that keeps pages, and by nothing else", async () => {
  const { sent, service } = serviceSaying({ kept_answers: [NEAR] });
  expect(await nearTo(service, "web_1")).toEqual([NEAR]);
  expect(sent).toEqual([
    { line: "GET /kept-answers/near?document_id=web_1", key: "Bearer tl_TEST_ingestKey", body: "" },
  ]);
});

it.each([
  ["there is none", { kept_answers: [] }, 200],
  ["the service knows nothing of it", { detail: "Not Found" }, 404],
  ["the key may not", { error_code: "INSUFFICIENT_PERMISSIONS", detail: "This role may not." }, 403],
  ["the service fails", { detail: "boom" }, 500],
  ["the service says something else", { answers: 3 }, 200],
])("is nothing where %s", async (_, json, status) => {
  const { sent, service } = serviceSaying(json, status);
  expect(await nearTo(service, "web_1")).toEqual([]);
  expect(sent).toHaveLength(1);
});

it("is said to change with the ids of both, and whether that was taken is told", async () => {
  const { sent, service } = serviceSaying(KEPT);
  expect(await changedBy(service, NEAR, "web_1")).toBe(true);
  expect(sent).toEqual([
    {
      line: "POST /kept-answers/doubted",
      key: "Bearer tl_TEST_ingestKey",
      body: JSON.stringify({ document_id: "kept-1", by: "web_1" }),
    },
  ]);
  expect(await changedBy(serviceSaying({ detail: "boom" }, 500).service, NEAR, "web_1")).toBe(false);
});
