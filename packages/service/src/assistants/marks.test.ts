/** Words of documents stand between marks, in whichever half of a result an assistant reads. */
import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { openChat, withKey } from "../chat.harness.ts";
import { assistantOf } from "./assistant.harness.ts";

const KEY = "tl_TESTreader";
const SAID = "The lighthouse keeper feeds forty cormorants.";

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const outsideMarks = (text: string): string => text.replace(/\b([a-z]+-[0-9a-f]{16})\n[\s\S]*?\n\1/g, "");

it.each([
  ["ask", { question: "What does the lighthouse keeper feed?" }],
  ["search", { query: "lighthouse keeper" }],
  ["read", { document: "lighthouse" }],
])("%s says nothing of a document outside them", async (name, given) => {
  const service = await openChat({}, (db) => withKey(db, KEY));
  afterThisTest(() => service.close());
  await service.ingest("lighthouse", SAID);
  const { content, structuredContent } = await (await assistantOf(service, KEY)).callTool({ name, arguments: given });
  for (const half of [content, structuredContent]) {
    const texts = textsIn(half);
    expect(texts.some((text) => text.includes("cormorants"))).toBe(true);
    expect(texts.filter((text) => outsideMarks(text).includes("cormorants"))).toEqual([]);
  }
});
