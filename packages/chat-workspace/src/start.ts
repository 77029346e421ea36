import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { Acts } from "./acts.ts";
import { Delivery } from "./delivery/delivery.ts";
import { signedHttp } from "./delivery/signed-http.ts";
import { Sockets } from "./delivery/sockets.ts";
import { Faults } from "./faults.ts";
import { createPage, type Page } from "./page-server/server.ts";
import { followState, readKept } from "./kept-state.ts";
import type { Parts } from "./workspace-parts.ts";
import { RateLimits } from "./web-api/rate-limits.ts";
import { State } from "./state.ts";
import { answerCall } from "./web-api/answer.ts";
import { answerOther } from "./web-api/other-routes.ts";
import { Workspace } from "./running-workspace.ts";
import type { ApiCall, WorkspaceOptions } from "./workspace.ts";

/** How long Slack waits for an acknowledgement, milliseconds. */
const ACK_TIMEOUT_MS = 3_000;

/** Starts a workspace on 127.0.0.1. Rejects when the port is taken. */
export async function startWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const kept = options.file === undefined ? undefined : readKept(options.file);
  const state = new State(kept === undefined ? options : { ...options, seed: kept.seed });
  if (kept !== undefined) state.restore(kept);
  const ackTimeoutMs = options.ackTimeoutMs ?? ACK_TIMEOUT_MS;
  const sockets = new Sockets(state, ackTimeoutMs);
  const { requestUrl } = options.app ?? {};
  const transport = requestUrl === undefined ? sockets.send : signedHttp(state, requestUrl, ackTimeoutMs);
  const delivery = new Delivery(state, transport);
  const acts = new Acts(state, delivery);
  const calls: ApiCall[] = [];
  const record = (call: ApiCall): void => {
    calls.push(call);
    state.changed();
  };
  const faults = new Faults({ state, acts, delivery, sockets });
  const limits = options.rateLimits === true ? new RateLimits() : undefined;
  const parts: Parts = { state, sockets, delivery, acts, faults, limits, calls, record, ackTimeoutMs };
  let page: Page | undefined;
  const server = createServer((request, response) => {
    void answer(parts, page, request, response);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (isFromHere(request, state.url)) sockets.upgrade(request, socket, head);
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = `Port ${options.port} on this machine is taken by another program. Choose another, or 0 for any.`;
      reject(error.code === "EADDRINUSE" ? new Error(taken, { cause: error }) : error);
    });
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  state.url = options.publicUrl ?? `http://127.0.0.1:${port}`;
  const endKeeping = options.file === undefined ? undefined : followState(state, options.file);
  const end = async (): Promise<void> => {
    page?.close();
    delivery.close();
    await sockets.close();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    endKeeping?.();
  };
  const workspace = new Workspace(parts, port, end);
  page = createPage(workspace);
  return workspace;
}

async function answer(
  parts: Parts,
  page: Page | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (!isFromHere(request, parts.state.url)) {
      response
        .writeHead(403, { "content-type": "text/plain" })
        .end("This workspace answers only programs and its own page, under 127.0.0.1.");
      return;
    }
    const { pathname } = new URL(request.url ?? "/", parts.state.url);
    if (pathname.startsWith("/api/")) await answerCall(parts, request, response);
    else if (!(await answerOther(parts, request, response))) await page?.answer(request, response);
  } catch (error) {
    if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
    response.end(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/**
 * Not from a page of another site: one that had its own name point here would send that name as the host, any other one
 * its own origin. Programs send no origin.
 */
function isFromHere({ headers }: IncomingMessage, url: string): boolean {
  const { host = "", origin } = headers;
  const named = ["127.0.0.1", "localhost", new URL(url).hostname].includes(host.replace(/:\d+$/, ""));
  return named && (origin === undefined || origin === `http://${host}`);
}
