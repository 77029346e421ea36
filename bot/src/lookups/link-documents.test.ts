import type { FoundPassage, SearchQuery } from "@threadlore/client/deployment";
import { expect, it } from "vitest";
import type { BotContext } from "../context.ts";
import { createLinkDocuments, type LinkRights } from "./link-documents.ts";

const LINK = "https://handbook.example/leave";

type Searched = (query: SearchQuery) => Promise<readonly FoundPassage[]>;

/** What looks up links of a server that finds this; `asked`: every search, by its words and sets. */
function lookingAt(search: Searched) {
  const asked: [query: string, sets: readonly string[]][] = [];
  let now = 1_000_000;
  const deployment = {
    search: (query: SearchQuery) => {
      asked.push([query.query, query.document_sets ?? []]);
      return search(query);
    },
  };
  const server = { client: {}, deployment };
  // Only what a look at a link needs.
  const bot = {
    config: { keys: { channel: "key" }, server: { profile: { botOrigin: "slackbot" } } },
    servers: { channel: server, dm: server },
    serverWatch: { admit: () => Promise.resolve() },
    store: { recall: () => Promise.resolve(undefined) },
    now: () => now,
  } as unknown as BotContext;
  const pass = (ms: number): void => void (now += ms);
  return { documents: createLinkDocuments(bot), asked, pass };
}

function rights(key: "channel" | "dm", ...sets: string[]): LinkRights {
  return { key, settings: { document_sets: sets, sources: [] } } as unknown as LinkRights;
}

const found: Searched = () => Promise.resolve([{ title: "Leave", content: "28 days.", link: LINK }]);
const soon = (): AbortSignal => AbortSignal.timeout(5_000);

it("knows what lies at a link for three minutes, and only for whom it was found", async () => {
  const { documents, asked, pass } = lookingAt(found);
  const look = async (who: LinkRights) => [...(await documents.at([`${LINK}#days`], who, soon())).keys()];
  expect(await look(rights("channel"))).toEqual([`${LINK}#days`]);
  expect(await look(rights("channel"))).toEqual([`${LINK}#days`]);
  expect(asked).toEqual([[LINK, []]]);
  await look(rights("channel", "HR"));
  await look(rights("channel", "IT"));
  await look(rights("dm"));
  expect(asked.splice(0).map(([, sets]) => sets)).toEqual([[], ["HR"], ["IT"], []]);
  pass(179_999);
  await look(rights("channel"));
  expect(asked).toEqual([]);
  pass(1);
  await look(rights("channel"));
  expect(asked).toHaveLength(1);
});

it("knows nothing of a look that failed, and looks anew", async () => {
  let isDown = true;
  const { documents, asked } = lookingAt((query) => (isDown ? Promise.reject(new Error("down")) : found(query)));
  await expect(documents.at([LINK], rights("channel"), soon())).rejects.toThrow("down");
  isDown = false;
  expect((await documents.at([LINK], rights("channel"), soon())).size).toBe(1);
  expect(asked).toHaveLength(2);
});

it("looks once for many at the same moment, each of whom waits no longer than they can", async () => {
  const { promise, resolve } = Promise.withResolvers<readonly FoundPassage[]>();
  const { documents, asked } = lookingAt(() => promise);
  const patient = [documents.at([LINK], rights("channel"), soon()), documents.at([LINK], rights("channel"), soon())];
  await expect.poll(() => asked.length).toBe(1);
  await expect(documents.at([LINK], rights("channel"), AbortSignal.timeout(10))).rejects.toThrow("timeout");
  resolve([{ title: "Leave", content: "28 days.", link: LINK }]);
  expect((await Promise.all(patient)).map(({ size }) => size)).toEqual([1, 1]);
  expect(asked).toHaveLength(1);
});

it("gives what is known by now, though other links of the same message are still looked for", async () => {
  const { promise, resolve } = Promise.withResolvers<readonly FoundPassage[]>();
  const { documents, asked } = lookingAt((query) => (query.query === LINK ? found(query) : promise));
  const message = documents.at([LINK, `${LINK}/slow`], rights("channel"), soon());
  await expect.poll(() => asked.length).toBe(2);
  expect((await documents.at([LINK], rights("channel"), AbortSignal.timeout(1_000))).size).toBe(1);
  resolve([]);
  expect([...(await message).keys()]).toEqual([LINK]);
  expect(asked.filter(([query]) => query === LINK)).toHaveLength(1);
});

it("takes what is no address of the web for nothing", async () => {
  const { documents, asked } = lookingAt(found);
  expect((await documents.at(["mailto:ada@example.com", "leave"], rights("channel"), soon())).size).toBe(0);
  expect(asked).toEqual([]);
});
