import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Knowledge } from "./knowledge.ts";
import { knowledgeServer } from "./server.ts";
import type { Report } from "./words/answering.ts";

/** Who a request is from, as whoever let it in knows it. */
export interface Admitted {
  /** The key the server's own operations are called with. */
  readonly key: string;
}

/** Whose knowledge a request is for: the key it came with, and where it came to. */
export interface AssistantCaller extends Admitted {
  /** Of the address the request came to, such as `http://127.0.0.1:8411`. */
  readonly origin: string;
}

/** The knowledge over HTTP: one request, one reply; nothing is remembered between them. */
export interface KnowledgeEndpoint {
  /** Answers a request that was let in: whoever calls this has checked key, Host and Origin. */
  fetch(request: Request, admitted: Admitted): Promise<Response>;
  /** Ends what is being answered. */
  close(): Promise<void>;
}

/**
 * The knowledge over HTTP, in the newest revision of the protocol and the one before it, without sessions.
 * @param knowledgeFor a server with this caller's key
 */
export function knowledgeEndpoint(
  knowledgeFor: (caller: AssistantCaller) => Knowledge,
  report: Report,
): KnowledgeEndpoint {
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      if (authInfo === undefined || requestInfo === undefined)
        throw new Error("A request was served that nobody let in");
      const { origin } = new URL(requestInfo.url);
      const knowledge = knowledgeFor({ key: authInfo.token, origin });
      return knowledgeServer(() => knowledge, report);
    },
    // What it tells beside is of requests that are wrong: whoever sent them is told.
    {},
  );
  return {
    fetch: (request, { key }) => handler.fetch(request, { authInfo: { token: key, clientId: "", scopes: [] } }),
    close: handler.close,
  };
}
