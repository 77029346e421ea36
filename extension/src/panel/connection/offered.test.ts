import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createClient } from "@threadlore/client";
import { type ContextPage, pageContext } from "@threadlore/documents";
import { createService, type Service } from "@threadlore/service";
import { parseMessagesFile } from "@wxt-dev/i18n/build";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../settings/settings.ts";
import { offeredOf } from "./offered.ts";
import { serviceAccess } from "./service-access.ts";

const KEY = ["tl", "TESTowner"].join("_");
const LOCALES = fileURLToPath(new URL("../../../locales/", import.meta.url));

/** What is offered in a language, as it is asked. */
async function textsIn(file: string, hasPage: boolean, writes: boolean): Promise<string[]> {
  const messages = await parseMessagesFile(LOCALES + file);
  return offeredOf(hasPage, writes).map((name) => {
    const found = messages.find((one) => one.key.join(".") === name);
    if (found?.type !== "simple") throw new Error(`${file} has no ${name}`);
    return found.message;
  });
}

describe("what is offered to be asked", () => {
  let service: Service;
  beforeAll(async () => {
    service = createService({ database: ":memory:", apiKey: KEY });
    const sections = [{ text: "Travel costs are paid back within ten days.", link: "https://wiki.example.com/travel" }];
    const client = createClient({ baseUrl: "http://127.0.0.1:8411", apiKey: KEY, fetch: send });
    await client.ingest({ document: { id: "travel", semantic_identifier: "Travel costs", sections } });
    await service.drain();
  });
  afterAll(() => service.close());
  const send: typeof fetch = (input, init) => service.fetch(new Request(input, init));

  it.each(readdirSync(LOCALES))("of a service without a model is what it can answer, in %s", async (file) => {
    const page: ContextPage = {
      title: "Open Harbour Day",
      url: "https://tidewell.example/open-harbour-day",
      parts: [
        { level: 0, heading: "", text: "ペニシェ Doors open at 10:00 and close at 17:00. Forty helpers are needed." },
      ],
      extent: "main",
      cut: false,
    };
    const offered = await textsIn(file, true, false);
    expect(offered).not.toEqual([]);
    const client = createClient({ baseUrl: "http://127.0.0.1:8411", apiKey: KEY, fetch: send });
    for (const message of offered) {
      const { text } = pageContext([page], message);
      const { answer } = await client.sendMessage({ message, additional_context: text, allowed_tool_ids: [1] });
      expect([message, answer]).toEqual([message, expect.stringContaining("Doors open at 10:00")]);
    }
    expect(await textsIn(file, false, false)).toEqual([]);
  });

  it("is all there is where a model writes", async () => {
    expect(await textsIn("en.yml", true, true)).toHaveLength(3);
    expect(await textsIn("en.yml", false, true)).toHaveLength(2);
  });

  it.each([
    ["quotes", { id: "u", answered_by: "quotes" }, 200, false],
    ["a model", { id: "u", answered_by: "model" }, 200, true],
    ["a server that knows no other way than a model", { id: "u" }, 200, true],
    ["a server that does not say who asks", { detail: "Not Found" }, 404, false],
  ])("goes by what the service says of itself: %s", async (_, json, status, writes) => {
    const original = globalThis.fetch;
    globalThis.fetch = () => Promise.resolve(Response.json(json, { status }));
    const connection = {
      baseUrl: "http://127.0.0.1:8411",
      given: "http://127.0.0.1:8411",
      isFound: true,
      origin: "http://127.0.0.1:8411",
      ingestionPath: "/service-api/ingestion",
      askKey: KEY,
      ingestKey: KEY,
    };
    try {
      const access = serviceAccess(connection, { ...DEFAULT_SETTINGS, managed: new Set() });
      expect(await access.offered(true)).toEqual(offeredOf(true, writes));
    } finally {
      globalThis.fetch = original;
    }
  });
});
