import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Database } from "@threadlore/service";
import { API_KEY } from "../filled-service.ts";
import type { Page } from "../search/search-corpus.ts";

/** A service in a process of its own, so that its waits and its memory are its own. */
export interface ServedApart {
  readonly url: string;
  /** From now on waits are counted. */
  begin(): void;
  /** p99 of how long its event loop was kept since then, and its memory. */
  tell(): Promise<{ readonly loopMs: number; readonly megabytes: number }>;
}

/** Does something with a service over a database, which ends then. */
export async function withServed<Result>(
  database: string,
  work: (served: ServedApart) => Promise<Result>,
): Promise<Result> {
  const child = fork(join(import.meta.dirname, "serving-child.harness.ts"), [database, API_KEY]);
  try {
    const [{ url }] = (await once(child, "message")) as [{ url: string }];
    return await work({
      url,
      begin: () => void child.send("begin"),
      async tell() {
        child.send("tell");
        const [told] = (await once(child, "message")) as [{ loopMs: number; megabytes: number }];
        return told;
      },
    });
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

/** Waits of one question, milliseconds. */
export interface Waits {
  /** To the first packet. */
  readonly first: number;
  /** To the end of the answer. */
  readonly whole: number;
}

/** Asks, and reads the answer to its end. */
async function ask(url: string, message: string): Promise<Waits> {
  const begun = performance.now();
  const reply = await fetch(`${url}/chat/send-chat-message`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ message, stream: true }),
  });
  let first: number | undefined;
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of reply.body ?? []) {
    first ??= performance.now() - begun;
    text += decoder.decode(piece, { stream: true });
  }
  if (reply.status !== 200 || !text.includes('"stop"'))
    throw new Error(`status ${reply.status}: ${text.slice(0, 300)}`);
  return { first: first ?? Number.NaN, whole: performance.now() - begun };
}

/** So many people who ask one question after the other, until it is over. */
export async function crowd(
  url: string,
  askers: number,
  questions: readonly string[],
  isOver: () => boolean,
): Promise<Waits[]> {
  const waits: Waits[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (!isOver()) waits.push(await ask(url, questions[next++ % questions.length] ?? ""));
  };
  await Promise.all(Array.from({ length: askers }, one));
  return waits;
}

/** Passages of one document. */
const PASSAGES = 5;
const AT_ONCE = 32;

/** Sends pages, five to a document, by any function that takes requests. */
export async function sendPages(
  pages: readonly Page[],
  post: (url: string, init: RequestInit) => Promise<Response>,
  { url, prefix }: { readonly url: string; readonly prefix: string },
): Promise<void> {
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < pages.length) {
      const some = pages.slice(next, (next += PASSAGES));
      const [first] = some as [Page];
      const sections = some.map(({ text }) => ({ text }));
      const document = { id: `${prefix}${first.id}`, semantic_identifier: first.title, sections, source: "file" };
      const reply = await post(`${url}/service-api/ingestion`, {
        method: "POST",
        headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ document }),
      });
      await reply.text();
      if (reply.status !== 200) throw new Error(`A document was answered with status ${reply.status}.`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
}

/** Waits until nothing is queued; looked up beside the service. */
export async function untilIndexed(database: string): Promise<void> {
  const db = new Database(database);
  try {
    while (db.get("SELECT 1 AS queued FROM queue LIMIT 1") !== undefined) await pause(20);
  } finally {
    db.close();
  }
}
