/**
 * Instances on one database that are killed, paused and cut off from it while documents are ingested and deleted and
 * questions are asked through any of them; and what has to hold all the while, and in the end.
 */
import { seededRandom } from "@threadlore/testkit";
import { setTimeout as pause } from "node:timers/promises";
import { PostgresStore } from "../store/postgres/postgres-store.ts";
import { all, type Steps, value } from "../store/steps.ts";
import { askOf, Herd } from "./herd.harness.ts";

/** What was done, and what did not hold. */
export interface KillsReport {
  kills: number;
  pauses: number;
  cuts: number;
  acknowledged: number;
  deleted: number;
  answered: number;
  /** Requests that got no answer, or one that asks for another try. */
  unanswered: number;
  /** One line per finding; empty when all held. */
  problems: string[];
}

/** A document, as far as its sender knows. */
interface Sent {
  readonly id: string;
  /** Newest version that was acknowledged; 0: none. */
  version: number;
  /** Its deletion was acknowledged, and nothing was sent since. */
  gone: boolean;
  /** Somebody is at it: another one would leave the order of two versions open. */
  busy: boolean;
}

interface Question {
  readonly session: string;
  readonly text: string;
}

const INSTANCES = 3;
/** An answer of a process that is gone is ended within so many milliseconds, by one that has been there as long. */
const ENDED_MS = 20_000;
const TRIES = 200;

/** @param kills so many, by the dice of `seed`, on a database of its own */
export async function killInstances(databaseUrl: string, kills: number, seed: number): Promise<KillsReport> {
  const trial = new Trial(databaseUrl, seed);
  try {
    await trial.begin();
    await trial.suffer(kills);
    await trial.judge();
  } finally {
    await trial.end();
  }
  return trial.report;
}

class Trial {
  readonly report: KillsReport = {
    kills: 0,
    pauses: 0,
    cuts: 0,
    acknowledged: 0,
    deleted: 0,
    answered: 0,
    unanswered: 0,
    problems: [],
  };
  readonly #random: () => number;
  readonly #url: string;
  readonly #herd: Herd;
  readonly #sent: Sent[] = [];
  readonly #questions: Question[] = [];
  #store: PostgresStore | undefined;
  #isOver = false;
  #cutAt = 0;

  constructor(url: string, seed: number) {
    this.#random = seededRandom(seed);
    this.#url = url;
    this.#herd = new Herd(url, this.#random);
  }

  async begin(): Promise<void> {
    this.#store = await PostgresStore.open(this.#url);
    await Promise.all(Array.from({ length: INSTANCES }, () => this.#herd.add()));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#herd.end();
    await this.#store?.close();
  }

  /** Works on all instances while they are killed. */
  async suffer(kills: number): Promise<void> {
    const again = async (work: () => Promise<void>): Promise<void> => {
      while (!this.#isOver) await work();
    };
    const workers = [
      ...[0, 1, 2].map(() => again(() => this.#send())),
      // So many that a kill seldom finds nobody at it.
      ...[true, false, true, false].map((stream) => again(() => this.#ask(stream))),
      again(() => this.#lookForDeleted()),
    ];
    const failed = Promise.all(workers);
    failed.catch(() => undefined);
    while (this.report.kills < kills) await this.#harm();
    this.#isOver = true;
    await failed;
  }

  /** A fresh process is slow at first: waits until all run, so that most that is killed is at work. */
  async #harm(): Promise<void> {
    await pause(this.#random() * 500);
    const dice = this.#random();
    const member = await this.#herd.one();
    if (dice < 0.1) {
      this.report.pauses++;
      member.signal("SIGSTOP");
      // Now and then for longer than a missing process is waited for.
      await pause(this.#random() ** 4 * 15_000);
      member.signal("SIGCONT");
    } else if (dice < 0.25) {
      this.report.cuts++;
      // What could not be looked for is not known to be missing.
      this.#cutAt = performance.now();
      await this.#read(all(CUT));
    } else {
      this.report.kills++;
      await member.kill();
      if (this.#random() < 0.1) member.lose();
      await member.start();
    }
  }

  async #read<Result>(steps: Steps<Result>): Promise<Result> {
    if (this.#store === undefined) throw new Error("the trial has not begun");
    return this.#store.read(steps);
  }

  #pick<Of>(of: readonly Of[]): Of | undefined {
    return of[Math.floor(this.#random() * of.length)];
  }

  /** As a client would: tries until there is an answer that is none of "later". Answers undefined where there was none. */
  async #insist(method: string, path: string, body?: unknown): Promise<string | undefined> {
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const { status, text } = await this.#herd.ask(method, path, body);
        if (status === 200) return text;
        if (status < 500 && status !== 429) {
          this.report.problems.push(`${method} ${path}: ${status} ${text}`);
          return undefined;
        }
      } catch {
        // Killed, or cut off.
      }
      this.report.unanswered++;
      await pause(100);
    }
    this.report.problems.push(`${method} ${path}: no answer`);
    return undefined;
  }

  // ── Documents ─────────────────────────────────────────────────────────────────────────────────────────────────

  async #send(): Promise<void> {
    const known = this.#random() < 0.3 ? this.#pick(this.#sent) : undefined;
    if (known?.busy === true) return pause(1);
    const sent = known ?? { id: `doc-${this.#sent.length}`, version: 0, gone: false, busy: false };
    if (known === undefined) this.#sent.push(sent);
    sent.busy = true;
    if (known !== undefined && !sent.gone && this.#random() < 0.3) {
      // The second try of a deletion whose answer was lost finds nothing.
      if ((await this.#delete(sent.id)) && ++this.report.deleted > 0) sent.gone = true;
    } else {
      sent.gone = false;
      const version = sent.version + 1;
      const text = await this.#insist("POST", "/service-api/ingestion", documentOf(sent.id, version));
      if (text !== undefined && ++this.report.acknowledged > 0) sent.version = version;
    }
    sent.busy = false;
    // More of them would only take longer to look for in the end.
    await pause(this.#random() * 200);
  }

  async #delete(id: string): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      const told = await this.#herd.ask("DELETE", `/service-api/ingestion/${id}`).catch(() => undefined);
      if (told?.status === 200 || told?.status === 204 || (told?.status === 404 && tries > 0)) return true;
      if (told !== undefined && told.status < 500) {
        this.report.problems.push(`deleting ${id}: ${told.status} ${told.text}`);
        return false;
      }
      this.report.unanswered++;
      await pause(100);
    }
    return false;
  }

  async #lookForDeleted(): Promise<void> {
    const sent = this.#pick(this.#sent.filter(({ gone, busy }) => gone && !busy));
    if (sent === undefined) return pause(10);
    sent.busy = true;
    const text = await this.#insist("POST", "/search", { query: wordOf(sent.id, sent.version) });
    if (text !== undefined && idsOf(text).includes(sent.id))
      this.report.problems.push(`${sent.id} was shown when gone`);
    sent.busy = false;
  }

  // ── Questions ─────────────────────────────────────────────────────────────────────────────────────────────────

  async #ask(stream: boolean): Promise<void> {
    const begun = await this.#insist("POST", "/chat/create-chat-session", {});
    if (begun === undefined) return;
    const session = String((JSON.parse(begun) as { chat_session_id: string }).chat_session_id);
    const text = `What does pump ${this.#questions.length % 7} need?`;
    this.#questions.push({ session, text });
    if (await this.#answered(session, text, stream)) this.report.answered++;
    else this.report.problems.push(`no answer to "${text}" in ${session}`);
  }

  async #answered(session: string, message: string, stream: boolean): Promise<boolean> {
    let parent: number | null = -1;
    for (let tries = 0; tries < TRIES; tries++) {
      const body = { chat_session_id: session, message, parent_message_id: parent, stream };
      const told = await this.#herd.ask("POST", "/chat/send-chat-message", body).catch(() => undefined);
      if (told?.status === 200 && isWhole(told.text, stream)) return true;
      this.report.unanswered++;
      await pause(200);
      const kept = await this.#kept(session);
      if (kept === "answered") return true;
      if (kept !== "unknown") parent = kept;
    }
    return false;
  }

  /** What became of a question whose answer did not come: the id of the question where it has to be answered anew. */
  async #kept(session: string): Promise<"answered" | "unknown" | number> {
    const since = performance.now();
    for (;;) {
      const text = await this.#insist("GET", `/chat/get-chat-session/${session}`);
      if (text === undefined) return "unknown";
      const { messages } = JSON.parse(text) as { messages: Message[] };
      const { current_run: running } = JSON.parse(text) as { current_run: object | null };
      const question = messages.find(({ message_type: type }) => type === "user");
      if (question === undefined) return "unknown";
      const answers = messages.filter(({ message_type: type }) => type === "assistant");
      if (running === null) return answers.some(({ error }) => error === null) ? "answered" : question.message_id;
      if (performance.now() - Math.max(since, this.#herd.watchedSince, this.#cutAt) > ENDED_MS + 10_000) {
        this.report.problems.push(`an answer in ${session} runs on`);
        return question.message_id;
      }
      await pause(200);
    }
  }

  // ── The end ───────────────────────────────────────────────────────────────────────────────────────────────────

  async judge(): Promise<void> {
    const told = (problem: string): number => this.report.problems.push(problem);
    const deadline = performance.now() + ENDED_MS;
    while ((await this.#read(value<number>(RUNNING))) > 0 && performance.now() < deadline) await pause(200);
    for (const { id, process } of await this.#read(all("SELECT id, process FROM messages WHERE status = 'running'"))) {
      told(`answer ${id} of process ${process} still runs`);
    }
    for (const { session, text } of this.#questions) {
      const [counted] = await this.#read(all<{ asked: number; done: number }>(COUNTED, session));
      if (counted?.asked !== 1 || counted.done !== 1) {
        told(`"${text}" in ${session} was stored ${counted?.asked} times, and answered ${counted?.done} times`);
      }
    }
    await this.#herd.add();
    const replies = await Promise.all(this.#herd.members.map((_, at) => this.#judgeOne(at, told)));
    for (const [at, reply] of replies.entries()) {
      for (const [question, found] of reply.entries()) {
        if (found !== replies[0]?.[question])
          told(`instance ${at} finds else than instance 0 for question ${question}`);
      }
    }
  }

  /** What an instance finds for common words, when it has caught up. */
  async #judgeOne(at: number, told: (problem: string) => number): Promise<string[]> {
    const member = this.#herd.members[at];
    if (member === undefined) return [];
    const there = this.#sent.filter(({ gone, version }) => !gone && version > 0);
    const search = async (query: string): Promise<string> => (await askOf(member, "POST", "/search", { query })).text;
    const missing = async (of: readonly Sent[]): Promise<Sent[]> => {
      const absent: Sent[] = [];
      for (const sent of of) {
        const text = await search(wordOf(sent.id, sent.version));
        if (!idsOf(text).includes(sent.id) || !text.includes(wordOf(sent.id, sent.version))) absent.push(sent);
      }
      return absent;
    };
    let left = await missing(there);
    for (const deadline = performance.now() + 20_000; left.length > 0 && performance.now() < deadline;) {
      await pause(200);
      left = await missing(left);
    }
    for (const { id, version } of left) told(`instance ${at} does not find ${id} version ${version}`);
    const listed = (await askOf(member, "GET", "/service-api/ingestion")).text;
    const documents = JSON.parse(listed) as { document_id: string; status: string }[];
    const ids = new Set(documents.map(({ document_id: id }) => id));
    for (const { id } of there) if (!ids.has(id)) told(`instance ${at} does not list ${id}`);
    if (ids.size !== there.length) told(`instance ${at} lists ${ids.size} documents instead of ${there.length}`);
    const waiting = documents.filter(({ status }) => status !== "indexed").length;
    if (waiting > 0) told(`${waiting} documents are not told to be indexed by instance ${at}`);
    for (const sent of this.#sent.filter(({ gone }) => gone)) {
      if (idsOf(await search(wordOf(sent.id, sent.version))).includes(sent.id)) told(`${sent.id} is gone, and shown`);
    }
    return Promise.all(COMMON.map(search));
  }
}

interface Message {
  readonly message_id: number;
  readonly message_type: string;
  readonly error: string | null;
}

const RUNNING = "SELECT count(*) FROM messages WHERE status = 'running'";

const CUT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const COUNTED = `
  SELECT count(*) FILTER (WHERE role = 'user') AS asked,
         count(*) FILTER (WHERE role = 'assistant' AND status = 'done') AS done FROM messages WHERE session_id = ?`;

/** The word a version is found by. */
const wordOf = (id: string, version: number): string => `${id.replace("-", "x")}v${version}`;

function documentOf(id: string, version: number): object {
  const at = Number(id.slice(4));
  const text = `${wordOf(id, version)}. Pump ${at % 7} needs oil from shelf ${at % 3}. Pressure and valve, note ${at % 5}.`;
  return { document: { id, semantic_identifier: "Pump", sections: [{ text }], source: "web", metadata: {} } };
}

/** Questions that many documents answer equally well: their order tells whether instances differ. */
const COMMON = ["pump", "oil shelf 2", "note 3 pressure", "valve", "What does pump 4 need?"];

function idsOf(text: string): string[] {
  return (JSON.parse(text) as { results: { document_id: string }[] }).results.map(({ document_id: id }) => id);
}

/** Whether an answer came to its end. */
function isWhole(text: string, stream: boolean): boolean {
  if (stream) return text.includes('"type":"stop"') && !text.includes('"error"');
  return (JSON.parse(text) as { error_msg?: string | null }).error_msg == null;
}
