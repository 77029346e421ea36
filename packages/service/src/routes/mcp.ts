import { knowledgeOf } from "@threadlore/mcp";
import type { KnowledgeEndpoint } from "@threadlore/mcp/http";
import type { ServiceContext } from "../context.ts";
import { toldOrigin } from "../http/arrival.ts";
import { bytesOfBody, textOfBody } from "../http/body.ts";
import { type Call, type Route, route } from "../http/route.ts";
import { tellMadeFor } from "../http/watched.ts";

/** Answers a request as the service does. */
export type Send = (request: Request) => Promise<Response>;

const PATH = "/mcp";
const METADATA = `/.well-known/oauth-protected-resource${PATH}`;

/**
 * The service as tools for assistants (Model Context Protocol over HTTP, stateless). The tools ask the service through
 * its own interface with the key they were called with, so that nobody sees or does more here than there. Nobody is
 * let in without a key, also where the service admits others to ask.
 */
export function mcpRoutes(context: ServiceContext, send: Send): readonly Route[] {
  let endpoint: Promise<KnowledgeEndpoint> | undefined;
  const answer = async ({ request }: Call): Promise<Response> => {
    endpoint ??= openEndpoint(context);
    const { fetch } = await endpoint;
    const inside: typeof globalThis.fetch = (input, init) => {
      const asked = new Request(input, init);
      tellMadeFor(asked, request);
      return send(asked);
    };
    // To itself, as this machine calls it, with the key it was called with.
    const knowledge = knowledgeOf({ baseUrl: ownUrl(context), apiKey: keyIn(request), fetch: inside, pair: undefined });
    return fetch(await readable(request), () => knowledge);
  };
  return [
    // Its other methods are of sessions, of which there are none: 405, as for every path.
    route(`POST ${PATH}`, "ordinary", "Tools for assistants: Model Context Protocol", {
      metadata: METADATA,
      handle: answer,
    }),
    // Of this address alone: the metadata of another would have to name that one (RFC 9728, section 3.3).
    route(`GET ${METADATA}`, "anyone", "How programs get in: with a key of this service", {
      handle: ({ request }) => ({
        resource: new URL(PATH, toldOrigin(request)).href,
        resource_name: "Threadlore",
        bearer_methods_supported: ["header"],
      }),
    }),
  ];
}

/** In process there is no port, and an address of numbers alone is what programs make a link of. */
function ownUrl({ settings: { port } }: ServiceContext): string {
  return port === undefined ? "http://localhost" : `http://127.0.0.1:${port}`;
}

/** Loaded with the first request: most services are never asked by an assistant. */
async function openEndpoint({ closing, log }: ServiceContext): Promise<KnowledgeEndpoint> {
  const { knowledgeEndpoint } = await import("@threadlore/mcp/http");
  const endpoint = knowledgeEndpoint((error) => log.warn("an assistant's request failed", { cause: error }));
  closing.addEventListener("abort", () => void endpoint.close(), { once: true });
  return endpoint;
}

/** It was let in with this key. */
function keyIn(request: Request): string {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}

/** The request with its body as it was counted and unpacked; refused as any other where it is nested too deep. */
async function readable(request: Request): Promise<Request> {
  const { method, url, signal } = request;
  const headers = new Headers(request.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  const body = textOfBody(await bytesOfBody(request));
  return new Request(url, { method, headers, signal, body });
}
