import { freshBrowser } from "../../testing/fake-browser.ts";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import { createService, type Service } from "@threadlore/service";
import { ask } from "@threadlore/ask";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readServerConversations, readServerTurns, turnsOf } from "./server-history.ts";

const KEY = ["tl", "TESTowner"].join("_");
const BASE = "http://127.0.0.1:8411";

describe("conversations the server keeps", () => {
  let embedded: Service;
  const send: typeof fetch = (input, init) => embedded.fetch(new Request(input, init));
  const options = { baseUrl: BASE, apiKey: KEY, fetch: send };
  const deployment = createDeployment(options);

  beforeAll(async () => {
    await freshBrowser();
    embedded = createService({ database: ":memory:", apiKey: KEY });
    const client = createClient(options);
    const sections = [{ text: "Travel costs are paid back within ten days.", link: "https://wiki.example.com/travel" }];
    await client.ingest({ document: { id: "travel", semantic_identifier: "Travel costs", sections } });
    await embedded.drain();
    // Asked elsewhere, in the terminal say.
    for await (const _ of ask(client, { message: "How fast are travel costs paid back?" })) void _;
  });
  afterAll(() => embedded.close());

  it("are listed and opened with their answers, sources and citations", async () => {
    const [conversation] = await readServerConversations(deployment, new AbortController().signal);
    const turns = await readServerTurns(deployment, conversation?.id ?? "");
    expect(turns).toMatchObject([{ question: "How fast are travel costs paid back?", answer: { status: "done" } }]);
    expect(turns[0]?.answer.citations.map(({ source }) => source.link)).toEqual(["https://wiki.example.com/travel"]);
    expect(turns[0]?.answer.conversation).toMatchObject({ chatSessionId: conversation?.id });
  });

  it("are opened with the text alone where the server keeps no more, or something else", () => {
    const messages = [
      { message_id: 1, message: "Who?", message_type: "user" },
      { message_id: 2, message: "Ada.", message_type: "assistant" },
    ];
    for (const packets of [undefined, [], [[{ obj: 7 }]], [[{ obj: { type: "message_start" } }]], "no"]) {
      const turns = turnsOf({ chat_session_id: "s", messages, ...(packets === undefined ? {} : { packets }) });
      expect(turns).toMatchObject([{ question: "Who?", answer: { text: "Ada.", status: "done" } }]);
    }
  });
});
