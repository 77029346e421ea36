import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "@threadlore/testkit";

/** What a site answers at an address: a page of HTML (or PDF), or whatever a function writes. */
export type Answer = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

/** A site on loopback that notes what it was asked for. Its robots.txt asks for no pause unless it says otherwise. */
export async function serveSite(pages: Readonly<Record<string, Answer>>) {
  const asked: { path: string; headers: IncomingMessage["headers"] }[] = [];
  let open = 0;
  const most = { atOnce: 0 };
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? "";
    asked.push({ path, headers: request.headers });
    open += 1;
    most.atOnce = Math.max(most.atOnce, open);
    response.once("close", () => (open -= 1));
    const answer = pages[path] ?? (path === "/robots.txt" ? "User-agent: *\nCrawl-delay: 0\n" : undefined);
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === "function") answer(request, response);
    else {
      const type = path.endsWith(".pdf") ? "application/pdf" : "text/html; charset=utf-8";
      response.setHeader("content-type", type).end(answer);
    }
  };
  const server = createServer(listener);
  afterThisTest(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = (server.address() as AddressInfo).port;
  return { asked, most, port, url: `http://127.0.0.1:${port}`, paths: () => asked.splice(0).map(({ path }) => path) };
}

/** A sitemap that lists these. */
export const urlset = (...locs: readonly string[]): string =>
  `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join("")}</urlset>`;
/** A page with a title and a line that names it. */
export const page = (title: string): string =>
  `<!doctype html><title>${title}</title><p>The ${title} is kept by the pier.</p>`;
