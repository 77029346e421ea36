import { startScriptedModel } from "@threadlore/testkit";
import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { addKey, Database, mintKey } from "../index.ts";
import { addDocumentSet } from "../store/connectors.ts";
import { keptDocument, type KeptService, startKept } from "./kept.harness.ts";

const ASKED = ["Which drawer holds the CANARYLAMP bulbs?", "spare CANARYLAMP where?"];
const KEPT = keptDocument(
  "Where is the spare gangway light for the Petrel kept?",
  "In the green locker, second shelf.",
  {
    asked: ASKED,
  },
);
const OTHERS = [
  "The Petrel sails on Monday.",
  "The gangway of the Gannet is long.",
  "A light burns in the harbour.",
].map((text, at) => ({ id: `other-${at}`, semantic_identifier: `Notes ${at}`, sections: [{ text }] }));

async function ask({ instance }: KeptService, message: string, more: object = {}, key?: string) {
  const { body } = await instance.call("POST", "/chat/send-chat-message", { message, stream: false, ...more }, key);
  const cited = (body["citation_info"] as { document_id: string }[]).map(({ document_id }) => document_id);
  return { answer: body.answer, cited, all: JSON.stringify(body) };
}

describe("what was asked and answered before", () => {
  it("is answered with the reply, in whichever of its words it is asked", async () => {
    const service = await startKept(undefined);
    await service.add(...OTHERS, KEPT);
    for (const question of ["spare gangway light petrel, where?", "In which drawer are the bulbs of the canarylamp?"]) {
      const { answer, cited } = await ask(service, question);
      expect([question, answer, cited]).toEqual([question, expect.stringContaining("In the green locker"), ["kept"]]);
    }
    expect((await ask(service, "Who paints the hull of the Dunlin?")).cited).toEqual([]);
  });

  it("is found by what was asked, and never told by it: in no answer, passage, summary or question that follows", async () => {
    const service = await startKept(undefined);
    await service.add(...OTHERS, KEPT);
    const found = await service.instance.call("POST", "/search", { query: "canarylamp bulbs" });
    expect(JSON.stringify(found.body)).toContain("In the green locker");
    const told = [found.body];
    const questions = ["canarylamp", "Where are the bulbs?", "Summarise the spare gangway light of the Petrel."];
    for (const message of [...questions, ...ASKED]) {
      const { all, answer } = await ask(service, message);
      told.push(JSON.parse(all.replace(JSON.stringify(message).slice(1, -1), "")) as never);
      expect(answer).not.toContain("drawer");
      const id = (JSON.parse(all) as { message_id: number }).message_id;
      const { body } = await service.instance.call("GET", `/chat/follow-ups?chat_message_id=${id}`);
      told.push(body);
    }
    for (const one of told) expect(JSON.stringify(one)).not.toMatch(/CANARYLAMP|Asked as/);
  });

  it("goes to a model as the reply, without what was asked", async () => {
    const model = await startScriptedModel([{ text: "In the green locker [1]." }]);
    afterThisTest(() => model.close());
    const service = await startKept(undefined, { model: { baseUrl: model.url, name: "scripted" } });
    await service.add(...OTHERS, KEPT);
    await ask(service, "gangway light of the Petrel, where is a spare one kept?");
    const sent = JSON.stringify(model.chats);
    expect(sent).toContain("In the green locker");
    expect(sent).not.toMatch(/CANARYLAMP|Asked as/);
  });

  it("is for whoever sees it, and passes the filters of a question", async () => {
    const service = await startKept(undefined);
    await service.add(...OTHERS, KEPT);
    const db = new Database(service.instance.copy);
    const key = mintKey();
    db.transact(addDocumentSet({ name: "none", pairIds: [] }));
    db.transact(addKey(key, { name: "blind", role: "ordinary", documentSets: ["none"] }, Date.now()));
    db.close();
    const question = "spare gangway light petrel, where?";
    expect((await ask(service, question)).cited).toEqual(["kept"]);
    const blind = await ask(service, question, {}, key);
    expect([blind.cited, blind.all.includes("green locker")]).toEqual([[], false]);
    const narrowed = await ask(service, question, { internal_search_filters: { source_type: ["web"] } });
    expect(narrowed.all).not.toContain("green locker");
    const tagged = await ask(service, question, {
      internal_search_filters: { tags: [{ tag_key: "team", tag_value: "a" }] },
    });
    expect(tagged.all).not.toContain("green locker");
  });

  it("stands beside a newer document that says otherwise", async () => {
    const service = await startKept(undefined);
    await service.add(
      keptDocument("How many people have to be aboard the Gannet?", "Two people have to be aboard the Gannet."),
      {
        id: "manning",
        semantic_identifier: "Manning",
        sections: [{ text: "At least four people have to be aboard the Gannet." }],
        doc_updated_at: "2026-05-01T08:00:00Z",
      },
    );
    const { answer } = await ask(service, "how many people must be aboard the Gannet?");
    expect(answer).toContain("Two people");
    expect(answer).toContain("four people");
  });
});
