import { once } from "node:events";
import { within } from "@threadlore/client/delay";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Metrics } from "./metrics.ts";
import type { ServerWatch } from "../knowledge-server/server-watch.ts";
import { type Store, storeTrouble } from "@threadlore/inbox";

/** What can be told of a running bot. */
export interface Condition {
  /** Connections to Slack that are up; undefined with the HTTP receiver. */
  sockets(): number | undefined;
  readonly store: Pick<Store, "check" | "backlog">;
  /** Why something that came in could not be kept just now; undefined: nothing of the kind. */
  notAccepted(): string | undefined;
  /** Events are accepted: it has started, and was not told to stop. */
  accepting(): boolean;
  /** Why the newest rules file is not in use; undefined: it is. */
  rulesProblem(): string | undefined;
  readonly serverWatch: Pick<ServerWatch, "condition">;
  readonly metrics: Metrics;
}

/** Health and metrics of this process, for whoever runs it. */
export type Operations = Awaited<ReturnType<typeof startOperations>>;

/** Longest wait for the database before it counts as gone, milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * Listens on 127.0.0.1 only, and answers only requests that name it so: a page in somebody's browser must not read
 * this under another name (docs/threats.md, T22).
 *
 * `/health`: 200 while it can do its work, else 503; `/ready`: 200 while it takes events and can keep them; `/metrics`:
 * for Prometheus.
 * Rejects when the port is taken.
 */
export async function startOperations(port: number, condition: Condition) {
  const server = createServer((request, response) => {
    // Nothing it answers is worth ending the bot for.
    answer(request, response, condition).catch(() => response.destroy());
  });
  server.requestTimeout = 10_000;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : port;
  return {
    /** `http://127.0.0.1:PORT`. */
    url: `http://127.0.0.1:${own}`,
    async close(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const HOSTS = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

async function answer(request: IncomingMessage, response: ServerResponse, condition: Condition): Promise<void> {
  if (!HOSTS.test(request.headers.host ?? "")) return reply(response, 403, { error: "this host name is not served" });
  if (request.method !== "GET" && request.method !== "HEAD") return reply(response, 405, { error: "only GET" });
  switch (request.url?.split("?")[0]) {
    case "/health": {
      const health = await healthOf(condition);
      return reply(response, health.ok ? 200 : 503, health);
    }
    case "/ready": {
      const takesEvents = condition.accepting() && condition.sockets() !== 0;
      const ready = takesEvents && (await databaseProblems(condition)).length === 0;
      return reply(response, ready ? 200 : 503, { ready });
    }
    case "/metrics": {
      const text = await condition.metrics.text();
      response.writeHead(200, { "content-type": condition.metrics.contentType }).end(text);
      return undefined;
    }
    default:
      return reply(response, 404, { error: "try /health, /ready or /metrics" });
  }
}

async function healthOf(condition: Condition) {
  const problems: string[] = [];
  const sockets = condition.sockets();
  if (sockets === 0) problems.push("no connection to Slack is up");
  const database = await databaseProblems(condition);
  problems.push(...database);
  const backlog =
    database.length === 0 ? await within(condition.store.backlog(), PATIENCE_MS).catch(() => undefined) : undefined;
  const ok = problems.length === 0;
  // None of this is a reason to be restarted: the rules before it are in use, and the server is looked at again.
  if (condition.rulesProblem() !== undefined) problems.push("the rules file is broken; the rules before it are in use");
  const server = condition.serverWatch.condition();
  for (const { what, ok: good, evidence } of server.findings) if (good === false) problems.push(`${what}: ${evidence}`);
  return {
    ok,
    /** What is wrong, in plain words; empty when nothing is. */
    problems,
    sockets,
    ...(typeof backlog === "object" && { waiting: backlog.waiting, running: backlog.running }),
    /** The knowledge server as it was last looked at. */
    server,
  };
}

/** Why the database does not take what has to be kept, now or within the last minute; each reason once. */
async function databaseProblems(condition: Condition): Promise<readonly string[]> {
  const problems = new Set<string>();
  try {
    if ((await within(condition.store.check(), PATIENCE_MS)) === "late") problems.add(storeTrouble(undefined));
  } catch (error) {
    problems.add(storeTrouble(error));
  }
  const recent = condition.notAccepted();
  if (recent !== undefined && !problems.has(recent)) problems.add(`what came in could not be kept: ${recent}`);
  return [...problems];
}

function reply(response: ServerResponse, status: number, body: object): undefined {
  response.writeHead(status, { "content-type": "application/json", "x-content-type-options": "nosniff" });
  response.end(`${JSON.stringify(body)}\n`);
}
