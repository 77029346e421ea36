import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type App, HTTPReceiver, type Logger } from "@slack/bolt";
import type { WatchedReceiver } from "./receiver.ts";
import { bodyOf, signedRequest } from "./posted.ts";
import { createSignatureCheck, type SignatureProblem } from "./signature.ts";

/** How to receive by HTTP. */
export interface HttpReceiverOptions {
  readonly signingSecret: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly logger: Logger;
  readonly now: () => number;
  /** Told of each request that was turned away; `clock` is worth a person's attention. */
  readonly onRefused: (problem: SignatureProblem) => void;
}

/** A receiver with an address. */
export interface HttpReceiver extends WatchedReceiver {
  /** Where requests are taken once started: `http://host:port/slack/events`. */
  readonly url: string;
}

const PATH = "/slack/events";
const MAX_BYTES = 1_048_576;
const FORM = "application/x-www-form-urlencoded";

/**
 * Bolt's HTTP receiver behind a door of our own: at most 1 MB, signatures both ways in time, no replays; and forms
 * whose content type carries a charset, which Bolt refuses. Events are acknowledged after their listeners ran.
 */
export function createHttpReceiver(options: HttpReceiverOptions): HttpReceiver {
  const { signingSecret, host, logger, now, onRefused } = options;
  const bolt = new HTTPReceiver({ signingSecret, logger, processBeforeResponse: true, bodyLimit: MAX_BYTES });
  const listen = bolt.requestListener;
  const check = createSignatureCheck(signingSecret, now);
  let server: Server | undefined;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST" || request.url?.split("?")[0] !== PATH) return reply(response, 404);
    const body = await bodyOf(request, MAX_BYTES);
    if (body === undefined) return reply(response, 413);
    const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
    const problem = check(signedRequest(request, body));
    if (problem !== undefined) {
      // The platform's own look whether TLS works here is not signed, and asks for nothing.
      if (problem === "unsigned" && type === FORM && isSslCheck(body)) return reply(response, 200);
      onRefused(problem);
      return reply(response, 401);
    }
    request.headers["content-type"] = type;
    listen(Object.assign(request, { rawBody: body }), response);
  }
  bolt.requestListener = (request, response) => {
    take(request, response).catch(() => reply(response, 400));
  };

  return {
    init: (app: App) => bolt.init(app),
    async start() {
      server = await bolt.start({ port: options.port, host }, { requestTimeout: 30_000, headersTimeout: 10_000 });
      return server;
    },
    async stop() {
      if (server?.listening === true) await bolt.stop();
    },
    get connections() {
      return server?.listening === true ? 1 : 0;
    },
    get url() {
      const address = server?.address();
      const port = typeof address === "object" && address !== null ? address.port : options.port;
      return `http://${host}:${port}${PATH}`;
    },
  };
}

function isSslCheck(body: Buffer): boolean {
  return body.byteLength < 1_000 && new URLSearchParams(body.toString("utf8")).get("ssl_check") === "1";
}

function reply(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.writeHead(status);
  response.end();
}
