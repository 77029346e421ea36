import { setImmediate as turn } from "node:timers/promises";
import { SendMessageRequest } from "@threadlore/client/models";
import { afterThisTest } from "@threadlore/testkit";
import { NO_TRACING } from "@threadlore/tracing";
import { describe, expect, it } from "vitest";
import { type Caller, defaultSettings, type ServiceContext } from "../context.ts";
import { Admission } from "../http/admission.ts";
import { refusal } from "../http/problem.ts";
import { createLog } from "../log.ts";
import { createSession, listSessions, messagesAfter } from "../store/sessions.ts";
import { Database } from "../store/sqlite/database.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { orderOf } from "../answer/chat-request.ts";
import type { Emission } from "../answer/packets.ts";
import { type Entrance, Run } from "../answer/run.ts";
import { Runs } from "../answer/runs.ts";

const ANN: Caller = { user: "ann", role: "ordinary", groups: [], documentSets: null };
const SESSION = "11111111-2222-4333-8444-555555555555";
const BUSY = refusal(503, "SERVICE_BUSY", "Too many wait.", { "Retry-After": "7" });
const KINDS = [
  { kind: "streamed", isStreamed: true },
  { kind: "whole", isStreamed: false },
] as const;

/** What runs work with, and a way to begin one; what it says is read at once. */
function open() {
  const db = new Database(":memory:");
  afterThisTest(() => db.close());
  const context: Partial<ServiceContext> = {
    db,
    settings: defaultSettings,
    now: () => 0,
    store: new SqliteStore(db),
    keepOpen: () => undefined,
    tracing: NO_TRACING,
    closing: new AbortController().signal,
    log: createLog("silent"),
  };
  const runs = new Runs(context as ServiceContext);
  const ask = (request: Partial<SendMessageRequest>, entrance: Entrance) => {
    const order = db.perform(
      orderOf(context as ServiceContext, ANN, SendMessageRequest.parse({ message: "Who?", ...request })),
    );
    const run = new Run(context as ServiceContext, runs, order, entrance);
    return { run, packets: read(run) };
  };
  return { db, runs, ask };
}

async function read(run: Run): Promise<Emission[]> {
  const emissions: Emission[] = [];
  for await (const emission of run.packets()) emissions.push(emission);
  return emissions;
}

/** More rounds than anything takes that is not waited for. */
async function aWhile(): Promise<void> {
  for (let round = 0; round < 20; round++) await turn();
}

describe("a question and its place", () => {
  it.each(KINDS)("$kind: waits for its session's turn before it waits for a place", async ({ isStreamed }) => {
    const { db, runs, ask } = open();
    db.transact(
      createSession({ id: SESSION, user: "ann", personaId: 0, description: null, projectId: null, createdAt: 0 }),
    );
    const before = runs.open(SESSION, () => undefined);
    let isAsked = false;
    const enter = () => {
      isAsked = true;
      return Promise.reject(BUSY);
    };
    const { packets } = ask({ chat_session_id: SESSION }, { enter, isStreamed });
    await aWhile();
    expect(isAsked).toBe(false);
    before.close();
    await packets;
    expect(isAsked).toBe(true);
  });

  it.each(KINDS)("$kind: without a place it says why; only whoever was told of it finds it kept", async (entrance) => {
    const { db, ask } = open();
    const { run, packets } = ask({}, { ...entrance, enter: () => Promise.reject(BUSY) });
    const last = (await packets).at(-1)?.packet;
    expect(last).toMatchObject({ error: "Too many wait.", error_code: "SERVICE_BUSY", is_retryable: true });
    expect(run.failure).toBe(BUSY);
    const sessions = db.perform(listSessions("ann", { limit: 10 }));
    const kept = sessions.flatMap(({ id }) => db.perform(messagesAfter(id, { after: 0, last: 1_000, limit: 10 })));
    expect(kept.map(({ status }) => status)).toEqual(entrance.isStreamed ? ["done", "failed"] : []);
    expect(sessions).toHaveLength(entrance.isStreamed ? 1 : 0);
  });

  it.each(KINDS)("$kind: nobody who went away keeps waiting for a place", async ({ isStreamed }) => {
    const { db, ask } = open();
    const limits = { running: 1, waiting: 1, waitingEach: 1, waitMs: 60_000, isLong: true };
    const admission = new Admission(limits);
    const leave = await admission.enter("bob", new AbortController().signal);
    const ticket = admission.join("ann");
    const { run, packets } = ask({}, { enter: ticket.enter, isStreamed });
    await aWhile();
    expect(() => admission.join("ann")).toThrow("The service is busy");
    run.abandon();
    await packets;
    ticket.leave();
    admission.join("ann").leave();
    leave();
    expect(db.perform(listSessions("ann", { limit: 10 }))).toHaveLength(isStreamed ? 1 : 0);
  });
});
