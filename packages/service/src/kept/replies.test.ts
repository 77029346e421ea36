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

  it("is answered with what closed the gap of alike questions, whoever asked those, and only by who may see it", async () => {
    const service = await startKept(undefined);
    const call = service.instance.call;
    await service.add(...OTHERS, keptDocument("Fob trouble", "Ring Orla on 4411, she is there until five."));
    const asked = "How do I reset the pin of my harbour login token?";
    const alike = "reset pin of harbour login token?";
    expect((await ask(service, alike)).cited).toEqual([]);
    const question = { ref: "q1", question: asked, asker: "T1:U7", is_shared: false, reason: "nothing" };
    const noted = await call("POST", "/gaps/questions", { ...question, asked_at: "2026-03-01T09:00:00Z" });
    const gap = noted.body["gap_id"] as number;
    expect((await ask(service, alike)).cited).toEqual([]);
    await call("POST", `/gaps/${gap}/close`, { document_id: "kept" });
    const { answer, cited } = await ask(service, alike);
    expect([answer, cited]).toEqual([expect.stringContaining("Ring Orla on 4411"), ["kept"]]);
    expect((await ask(service, "Who paints the hull of the Dunlin?")).cited).toEqual([]);

    const db = new Database(service.instance.copy);
    const key = mintKey();
    db.transact(addDocumentSet({ name: "none", pairIds: [] }));
    db.transact(addKey(key, { name: "blind", role: "ordinary", documentSets: ["none"] }, Date.now()));
    db.close();
    expect((await ask(service, alike, {}, key)).all).not.toContain("Orla");
    for (const filters of [
      { source_type: ["web"] },
      { time_cutoff: "2026-06-01T00:00:00Z" },
      { tags: [{ tag_key: "team", tag_value: "a" }] },
    ]) {
      expect((await ask(service, alike, { internal_search_filters: filters })).all).not.toContain("Orla");
    }
    expect((await ask(service, alike, { internal_search_filters: { source_type: ["slack"] } })).cited).toEqual([
      "kept",
    ]);

    await call("POST", `/gaps/${gap}/reopen`, {});
    expect((await ask(service, alike)).cited).toEqual([]);
  });

  it("is answered so also in words of its own, where an embedding model says that it asks the same", async () => {
    const unit = (at: number) => Array.from({ length: 32 }, (_, index) => Number(index === at));
    let others = 0;
    const embed = (text: string) => (/fob|dongle/.test(text) ? unit(0) : unit(1 + (others++ % 31)));
    const model = await startScriptedModel([], { models: ["alike"], embed });
    afterThisTest(() => model.close());
    const service = await startKept(undefined, { embeddings: { baseUrl: model.url, name: "alike" } });
    await service.add(...OTHERS, keptDocument("Entry trouble", "Ring Orla on 4411, she is there until five."));
    const question = { ref: "q1", question: "My login fob is broken, whom do I ask?", asker: "T1:U7", is_shared: true };
    const noted = await service.instance.call("POST", "/gaps/questions", {
      ...question,
      reason: "nothing",
      asked_at: "2026-03-01T09:00:00Z",
    });
    const alike = "the dongle died, who helps?";
    expect((await ask(service, alike)).cited).toEqual([]);
    await service.instance.call("POST", `/gaps/${String(noted.body["gap_id"])}/close`, { document_id: "kept" });
    const { answer, cited } = await ask(service, alike);
    expect([answer, cited]).toEqual([expect.stringContaining("Ring Orla on 4411"), ["kept"]]);
    expect((await ask(service, "Who paints the hull of the Dunlin?")).cited).toEqual([]);
  });

  it("is not read from its beginning where a gap was closed with a document that is no reply", async () => {
    const service = await startKept(undefined);
    const handbook = {
      id: "handbook",
      semantic_identifier: "Handbook",
      sections: [{ text: "Welcome aboard, everybody." }],
    };
    await service.add(...OTHERS, KEPT, handbook);
    const question = { ref: "q1", question: "How do I reset the pin of my harbour login token?", asker: "T1:U7" };
    const noted = await service.instance.call("POST", "/gaps/questions", {
      ...question,
      is_shared: true,
      reason: "nothing",
      asked_at: "2026-03-01T09:00:00Z",
    });
    await service.instance.call("POST", `/gaps/${String(noted.body["gap_id"])}/close`, { document_id: "handbook" });
    expect((await ask(service, "reset pin of harbour login token?")).answer).not.toContain("Welcome aboard");
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
