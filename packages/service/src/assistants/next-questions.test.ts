/** What an assistant can offer a person to ask next. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterThisTest, repositoryRoot } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { openChat, withKey } from "../chat.harness.ts";
import { assistantOf } from "./assistant.harness.ts";

const HANDBOOK = join(repositoryRoot, "packages/demo/handbook");
const KEY = "tl_TESTreader";

it("questions to ask next are looked for where they are wanted, and each is answered", async () => {
  const service = await openChat({}, (db) => withKey(db, KEY));
  afterThisTest(() => service.close());
  for (const file of readdirSync(HANDBOOK)) await service.ingest(file, readFileSync(join(HANDBOOK, file), "utf8"));
  const assistant = await assistantOf(service, KEY);
  const ask = async (given: object) => {
    const { structuredContent } = await assistant.callTool({ name: "ask", arguments: { ...given } });
    return structuredContent as { found: boolean; follow_ups: string[]; conversation: string };
  };
  const question = "How far ahead should trains be booked?";
  expect((await ask({ question })).follow_ups).toEqual([]);
  const { follow_ups: next, conversation } = await ask({ question, follow_ups: true });
  expect(next.length).toBeGreaterThan(0);
  for (const one of next) expect(await ask({ question: one, conversation })).toMatchObject({ found: true });
});
