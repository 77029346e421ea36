import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import type { KnowledgeSource } from "./knowledge.ts";
import { knowledgeServer, type ServerOptions } from "./server.ts";
import type { Report } from "./words/telling.ts";

/** The knowledge over HTTP: one request, one reply; nothing is remembered between them. */
export interface KnowledgeEndpoint {
  /**
   * Answers a request that was let in: whoever calls this has checked who it is from, Host and Origin.
   * @param source the server with the rights of whoever it is from
   */
  fetch(request: Request, source: KnowledgeSource, options?: ServerOptions): Promise<Response>;
  /** Ends what is being answered. */
  close(): Promise<void>;
}

/** Serves whatever tools are made for a request, in the newest revision of the protocol and the one before it. */
export function statelessEndpoint<Given>(serverFor: (given: Given) => McpServer | Promise<McpServer>) {
  // What the handler would tell beside is of requests that are wrong: whoever sent them is told.
  const handler = createMcpHandler(({ authInfo }) => {
    const given = authInfo?.extra?.["given"] as { readonly of: Given } | undefined;
    if (given === undefined) throw new Error("A request was served that nobody let in");
    return serverFor(given.of);
  });
  return {
    async fetch(request: Request, of: Given): Promise<Response> {
      const text = await request.text();
      if (text.trimStart().startsWith("[")) return batchRefused();
      const { url, method, headers, signal } = request;
      const single = new Request(url, { method, headers, signal, ...(method === "POST" && { body: text }) });
      // What the library takes along for a token is all it takes along.
      return handler.fetch(single, { authInfo: { token: "", clientId: "", scopes: [], extra: { given: { of } } } });
    },
    close: handler.close,
  };
}

/**
 * The library answers batches to whoever names an old revision: a request would ask any number of questions at once,
 * each with its own search, past every limit that counts requests.
 */
const batchRefused = (): Response => {
  const message = "Send one message a request: batches are of an older revision than those served here.";
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } }, { status: 400 });
};

/** The knowledge over HTTP, in the newest revision of the protocol and the one before it, without sessions. */
export function knowledgeEndpoint(report: Report): KnowledgeEndpoint {
  const { fetch, close } = statelessEndpoint((given: { source: KnowledgeSource; options?: ServerOptions }) =>
    knowledgeServer(given.source, report, given.options),
  );
  return { fetch: (request, source, options) => fetch(request, { source, options }), close };
}
