import { freshBrowser } from "../../testing/fake-browser.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { settled } from "../../storage/open-database.ts";
import {
  forgetConversation,
  keepConversation,
  type KeptConversation,
  listConversations,
  listSessions,
  readConversations,
  renameConversation,
} from "./history-store.ts";
import { wordsOf } from "./found.ts";
import { type Hit, searchHistory } from "./search.ts";

const ORIGIN = "https://ask.example";

/** A conversation as it is kept, as far as it matters here. */
function conversation(id: string, updatedAt: number, title: string, ...said: [string, string][]): KeptConversation {
  const turns = said.map(([question, text]) => ({ question, answer: { text } }));
  const kept = { id, origin: ORIGIN, title, updatedAt, conversation: { chatSessionId: `s-${id}` }, turns };
  return kept as unknown as KeptConversation;
}

const found = async (query: string, stopped = new AbortController().signal): Promise<readonly Hit[]> => {
  const listed = (await listConversations(ORIGIN)).map((one) => ({ ...one, isRemote: false }));
  const remote = { id: "far", title: "Résumé at the service", updatedAt: 0, isRemote: true };
  let hits: readonly Hit[] = [];
  await searchHistory([...listed, remote], wordsOf(query), readConversations, {
    found: (all) => (hits = all),
    stopped,
  });
  return hits;
};

describe("conversations kept in this browser", () => {
  beforeEach(async () => {
    await freshBrowser();
    await forgetConversation();
  });

  it("are there after an update of a version that kept whole ones only", async () => {
    // Whatever this file has opened before closes for it.
    await new Promise((resolve) =>
      indexedDB.deleteDatabase("threadlore-conversations").addEventListener("success", resolve),
    );
    const opening = indexedDB.open("threadlore-conversations", 1);
    opening.addEventListener("upgradeneeded", () => {
      opening.result.createObjectStore("conversations", { keyPath: "id" }).createIndex("updatedAt", "updatedAt");
    });
    const old = await settled(opening);
    old.addEventListener("versionchange", () => old.close());
    await settled(
      old
        .transaction("conversations", "readwrite")
        .objectStore("conversations")
        .put(conversation("a", 1, "Old")),
    );
    expect(await listConversations(ORIGIN)).toEqual([{ id: "a", title: "Old", updatedAt: 1 }]);
    expect(await listSessions()).toEqual(new Set(["s-a"]));
  });

  it("are listed newest first, for their own service", async () => {
    await keepConversation(conversation("a", 1, "First"));
    await keepConversation(conversation("b", 2, "Second"));
    await keepConversation({ ...conversation("c", 3, "Elsewhere"), origin: "https://other.example" });
    expect((await listConversations(ORIGIN)).map(({ title }) => title)).toEqual(["Second", "First"]);
  });

  it("keep the name they were given when they go on, and their place until then", async () => {
    await keepConversation(conversation("a", 1, "What is it?"));
    await keepConversation(conversation("b", 2, "Other"));
    await renameConversation("a", "旅費");
    expect((await listConversations(ORIGIN)).map(({ title }) => title)).toEqual(["Other", "旅費"]);
    await keepConversation(conversation("a", 3, "What is it?"));
    expect((await listConversations(ORIGIN)).map(({ title }) => title)).toEqual(["旅費", "Other"]);
  });

  it("are found by what was asked and answered, with the line", async () => {
    for (let index = 0; index < 60; index++) {
      const answer = index === 7 ? "First line.\nDas Café liegt am Fluß.\nLast line." : "Nothing of it.";
      await keepConversation(conversation(`c${index}`, index, `Question ${index}`, [`Question ${index}`, answer]));
    }
    const hits = await found("CAFE fluß");
    expect(hits.map(({ listed, line }) => [listed.id, line?.before, line?.found])).toEqual([["c7", "Das ", "Café"]]);
    expect((await found("question 59")).map(({ listed }) => listed.id)).toEqual(["c59"]);
  });

  it("of the service are found by their titles; a search that is not wanted any more tells nothing", async () => {
    expect((await found("resume")).map(({ listed }) => listed.id)).toEqual(["far"]);
    expect(await found("resume", AbortSignal.abort())).toEqual([]);
  });
});
