import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
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

/**
 * Does something with a service over a database, which ends then.
 * @param databaseUrl of the truth, where `database` is but a copy
 */
export async function withServed<Result>(
  database: string,
  work: (served: ServedApart) => Promise<Result>,
  databaseUrl?: string,
): Promise<Result> {
  const words = [database, API_KEY, ...(databaseUrl === undefined ? [] : [databaseUrl])];
  const child = fork(join(import.meta.dirname, "serving-child.harness.ts"), words);
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

/** Sockets that stay open. */
const agent = new Agent({ keepAlive: true });

/**
 * Sends JSON over a socket; resolves when the reply begins. As little as can be is done with it here, and not by `fetch`,
 * which takes as long to send a document as the service to store it: whoever asks is on the same two cores.
 */
function send(url: string, body: unknown): Promise<IncomingMessage> {
  const text = Buffer.from(JSON.stringify(body));
  const headers = {
    authorization: `Bearer ${API_KEY}`,
    "content-type": "application/json",
    "content-length": text.byteLength,
  };
  return new Promise((resolve, reject) => {
    request(url, { method: "POST", agent, headers }, resolve).on("error", reject).end(text);
  });
}

/** Sends a document over a socket. */
export async function sendOver(url: string, body: unknown): Promise<number> {
  const reply = await send(url, body);
  for await (const _ of reply);
  return reply.statusCode ?? 0;
}

/** Sends over a socket; answers what came back. */
export async function askOver(url: string, body: unknown): Promise<string> {
  let text = "";
  for await (const piece of (await send(url, body)).setEncoding("utf8") as AsyncIterable<string>) text += piece;
  return text;
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
  const reply = await send(`${url}/chat/send-chat-message`, { message, stream: true });
  let first: number | undefined;
  let text = "";
  for await (const piece of reply.setEncoding("utf8") as AsyncIterable<string>) {
    first ??= performance.now() - begun;
    text += piece;
  }
  if (reply.statusCode !== 200 || !text.includes('"stop"'))
    throw new Error(`status ${reply.statusCode}: ${text.slice(0, 300)}`);
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

/**
 * Sends pages, five to a document.
 * @param post answers with the status of the reply, when all of it is there
 */
export async function sendPages(
  pages: readonly Page[],
  post: (url: string, body: unknown) => Promise<number>,
  { url, prefix }: { readonly url: string; readonly prefix: string },
): Promise<void> {
  let next = 0;
  const sendSome = async (): Promise<void> => {
    while (next < pages.length) {
      const some = pages.slice(next, (next += PASSAGES));
      const [first] = some as [Page];
      const sections = some.map(({ text }) => ({ text }));
      const document = { id: `${prefix}${first.id}`, semantic_identifier: first.title, sections, source: "file" };
      const status = await post(`${url}/service-api/ingestion`, { document });
      if (status !== 200) throw new Error(`A document was answered with status ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
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
