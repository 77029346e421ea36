import { createGaps } from "@threadlore/client/gaps";
import { afterThisTest, startScriptedModel } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { addKey, addPair, createService, Database, type ServiceOptions, SqliteStore } from "../index.ts";
import { value } from "../store/steps.ts";
import { listGaps } from "./book.ts";
import { openGaps } from "./gaps.ts";
import { questionOf } from "./gap.harness.ts";

const UNKNOWN = "Where is the spare key of the boat house?";
const KNOWN = "How many days of paid leave do employees accrue per year?";
const LEAVE = "Employees accrue 27 days of paid leave per year. Unused days expire on 31 March.";

const PATIENCE = { timeout: 10_000 };

/** A service that knows of paid leave, with keys of several people. */
async function open(options: Partial<ServiceOptions> = {}) {
  const db = new Database(":memory:");
  for (const user of ["ann", "bo"]) db.transact(addKey(`tl_TEST${user}`, { name: user, role: "ordinary", user }, 0));
  db.transact(addKey("tl_TESTadmin", { name: "admin", role: "admin" }, 0));
  const lines: string[] = [];
  const service = createService({ database: db, log: (line) => lines.push(line), ...options });
  afterThisTest(() => service.close());
  const call = async (line: string, user: string, body?: unknown) => {
    const [method, path] = line.split(" ");
    const headers = { authorization: `Bearer tl_TEST${user}`, "content-type": "application/json" };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const reply = await service.fetch(new Request(`http://127.0.0.1${path}`, init));
    expect([line, reply.status]).toEqual([line, 200]);
    return (await reply.json()) as { chat_session_id: string; message_id: number; answer: string };
  };
  const document = { id: "leave", semantic_identifier: "Leave", sections: [{ text: LEAVE }], source: "web" };
  await call("POST /service-api/ingestion", "admin", { document: { ...document, metadata: {} } });
  await service.drain();
  const ask = (message: string, user = "ann", more: object = {}) =>
    call("POST /chat/send-chat-message", user, { message, origin: "chrome_extension", stream: false, ...more });
  const gaps = createGaps({ baseUrl: "http://127.0.0.1", apiKey: "tl_TESTadmin", fetch: service.fetch });
  const listed = async () => (await gaps.list()).gaps;
  /** What was asked before is noted by now. */
  const settled = async (): Promise<void> => {
    await ask("Which insurance covers rented bicycles?", "admin");
    await expect.poll(listed, PATIENCE).not.toEqual([]);
  };
  return { db, service, lines, call, ask, gaps, listed, settled };
}

describe("what is asked here and has no answer", () => {
  it("is part of a gap without its words, counted by people", async () => {
    const { ask, listed, gaps } = await open();
    for (let times = 0; times < 3; times++) await ask(UNKNOWN);
    await ask("the boat house's spare keys, where?", "bo", { stream: true }).catch(() => undefined);
    await expect
      .poll(listed, PATIENCE)
      .toMatchObject([{ people: 2, questions: 4, private_questions: 4, question: null, reasons: { nothing: 4 } }]);
    const [gap] = (await gaps.list()).gaps;
    expect((await gaps.find(gap?.gap_id ?? 0)).shared_questions).toEqual([]);
  });

  it("is none where something was quoted, nothing was to be searched, little was, or nothing was asked", async () => {
    const { ask, gaps, settled } = await open();
    await ask(KNOWN);
    await ask(UNKNOWN, "ann", { allowed_tool_ids: [] });
    await ask(UNKNOWN, "ann", { internal_search_filters: { source_type: ["web"] } });
    await ask("thanks a lot");
    // The bot of a chat tells itself what it had no answer for.
    await ask(UNKNOWN, "ann", { origin: "slackbot" });
    await settled();
    expect((await gaps.list()).gaps).toMatchObject([{ people: 1, questions: 1 }]);
  });

  it("is what was marked as bad, until the mark is taken back or made good", async () => {
    const { ask, call, listed } = await open();
    const { message_id: id } = await ask(KNOWN);
    const mark = (is_positive: boolean) =>
      call("POST /chat/create-chat-message-feedback", "ann", { chat_message_id: id, is_positive });
    await mark(false);
    await expect.poll(listed, PATIENCE).toMatchObject([{ people: 1, reasons: { nothing: 0, bad_mark: 1 } }]);
    await mark(true);
    await expect.poll(listed, PATIENCE).toMatchObject([]);
    await mark(false);
    await expect.poll(listed, PATIENCE).toMatchObject([{ people: 1 }]);
    await call(`DELETE /chat/remove-chat-message-feedback?chat_message_id=${id}`, "ann");
    await expect.poll(listed, PATIENCE).toMatchObject([]);
    const { message_id: unknown } = await ask(UNKNOWN);
    await call("POST /chat/create-chat-message-feedback", "ann", { chat_message_id: unknown, is_positive: false });
    await expect
      .poll(listed, PATIENCE)
      .toMatchObject([{ people: 1, questions: 1, reasons: { nothing: 1, bad_mark: 1 } }]);
    await call(`DELETE /chat/remove-chat-message-feedback?chat_message_id=${unknown}`, "ann");
    await expect
      .poll(listed, PATIENCE)
      .toMatchObject([{ people: 1, questions: 1, reasons: { nothing: 1, bad_mark: 0 } }]);
  });

  it("is forgotten with the conversation it was asked in", async () => {
    const { ask, call, listed } = await open();
    const { chat_session_id: id } = await ask(UNKNOWN);
    await ask(UNKNOWN, "bo");
    await expect.poll(listed, PATIENCE).toMatchObject([{ people: 2 }]);
    await call(`DELETE /chat/delete-chat-session/${id}`, "ann");
    await expect.poll(listed, PATIENCE).toMatchObject([{ people: 1, questions: 1 }]);
  });

  it("is what a model answered without a source, where nothing would have been quoted", async () => {
    const model = await startScriptedModel(({ messages }) => ({
      text: JSON.stringify(messages).includes("27 days") ? "They accrue 27 days a year [1]." : "I could not find that.",
    }));
    afterThisTest(() => model.close());
    const { ask, listed } = await open({ model: { baseUrl: model.url, name: "scripted" } });
    await ask(KNOWN);
    await ask(UNKNOWN);
    await expect.poll(listed, PATIENCE).toMatchObject([{ people: 1, questions: 1, reasons: { nothing: 1 } }]);
  });

  it("is not noted where nobody wants it, and no gaps at all are kept where nobody wants any", async () => {
    const told = await open({ settings: { gaps: "told" } });
    await told.ask(UNKNOWN);
    await told.gaps.note({ ref: "q", question: KNOWN, asker: "a", is_shared: true, reason: "human" });
    expect((await told.gaps.list()).gaps).toMatchObject([{ question: KNOWN, questions: 1 }]);
    const off = await open({ settings: { gaps: "off" } });
    await off.ask(UNKNOWN);
    for (const ask of [() => off.gaps.list(), () => off.gaps.find(5), () => off.gaps.reopen(5)])
      await expect(ask()).rejects.toMatchObject({ name: "UnsupportedError" });
  });
});

describe("a document that answers a gap", () => {
  it("is named to whoever may see it, by its pair where several have its id, and closes nothing for anybody else", async () => {
    const { db, service, gaps, call } = await open();
    const limited = { name: "limited", role: "editor", documentSets: ["None"] } as const;
    db.transact(addKey("tl_TESTlimited", { ...limited, documentSets: [...limited.documentSets] }, 0));
    const apart = createGaps({ baseUrl: "http://127.0.0.1", apiKey: "tl_TESTlimited", fetch: service.fetch });
    const question = { question: UNKNOWN, is_shared: true, reason: "nothing" } as const;
    const { gap_id: id } = await gaps.note({ ref: "q", asker: "a", ...question });
    await expect(apart.close(id, "leave")).rejects.toMatchObject({ name: "NotFoundError" });
    await gaps.close(id, "leave");
    expect(await apart.note({ ref: "q", asker: "b", ...question })).toMatchObject({
      state: "closed",
      document_id: null,
    });
    expect(await gaps.note({ ref: "r", asker: "b", ...question })).toMatchObject({ document_id: "leave" });
    const pair = db.transact(addPair({ name: "Other", connectorId: 1, credentialId: 1, access: "private" }));
    const document = { id: "leave", semantic_identifier: "Leave", sections: [{ text: LEAVE }], source: "web" };
    await call("POST /service-api/ingestion", "admin", { document: { ...document, metadata: {} }, cc_pair_id: pair });
    await expect(gaps.close(id, "leave")).rejects.toMatchObject({ status: 409 });
    expect(await gaps.close(id, `leave (pair ${pair})`)).toMatchObject({ document_id: `leave (pair ${pair})` });
    expect(await gaps.find(id)).toMatchObject({ state: "closed", document_id: `leave (pair ${pair})` });
  });
});

describe("noting what was asked here", () => {
  it("waits for a database that takes nothing, and says once that it does; no answer waits", async () => {
    const db = new Database(":memory:");
    afterThisTest(() => db.close());
    const store = new SqliteStore(db);
    const lines: string[] = [];
    const log = { warn: (line: string) => lines.push(line), info: () => undefined, error: () => undefined };
    let isFull = true;
    const failing = new Proxy(store, {
      get: (target, name) =>
        name === "write"
          ? (steps: Parameters<typeof store.write>[0]) =>
              isFull ? Promise.reject(new Error("full")) : target.write(steps)
          : (target[name as "read"] as (...given: unknown[]) => unknown).bind(target),
    });
    const gaps = openGaps({ store: failing, log: log as never, embeddings: undefined, notesOwn: true });
    for (const ref of ["one", "two"]) {
      const { names, words, reason, askedAt } = questionOf({ ref, caller: "", asker: ref, words: UNKNOWN });
      gaps.noteOwn(() => ({
        names,
        words,
        reason,
        askedAt,
        isShared: false,
        isThere: function* () {
          return (yield* value<number>("SELECT 1")) === 1;
        },
      }));
    }
    await expect.poll(() => lines.length).toBe(1);
    isFull = false;
    await expect.poll(() => db.perform(listGaps("open", 9)), { timeout: 20_000 }).toMatchObject([{ people: 2 }]);
    await gaps.close();
    expect(lines).toEqual([expect.stringContaining("they wait"), expect.stringContaining("again")]);
  });

  it("does not keep an answer waiting for an embedding server that says nothing", async () => {
    const { ask, listed } = await open({
      embeddings: { baseUrl: "http://127.0.0.1:9/v1", name: "away" },
      logLevel: "silent",
    });
    await ask(UNKNOWN);
    await expect.poll(listed, PATIENCE).toMatchObject([{ people: 1 }]);
  });
});
