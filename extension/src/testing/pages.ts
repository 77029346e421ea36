import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Web pages on this machine, for the extension to read. */
export interface TestPages {
  /** As of the open web, such as `http://pages.example:40001`: a test browser finds every `.example` on this machine. */
  readonly url: string;
  /** As it is, such as `http://127.0.0.1:40001`: a page that looks private. */
  readonly privateUrl: string;
  close(): Promise<void>;
}

/** What a path answers with: HTML, or anything else with its type. */
export type PageAnswer =
  | string
  | { readonly type: string; readonly body: string | Uint8Array; readonly status?: number };

/** Serves pages made by `answer`; undefined: there is no such page. */
export async function servePages(
  answer: (path: string, request: IncomingMessage) => PageAnswer | undefined,
): Promise<TestPages> {
  const server = createServer((request, response) => {
    const found = answer(request.url ?? "/", request);
    const page = typeof found === "string" ? { type: "text/html; charset=utf-8", body: found } : found;
    response.writeHead(page === undefined ? 404 : "status" in page ? (page.status ?? 200) : 200, {
      "content-type": page?.type ?? "text/plain",
    });
    response.end(page?.body ?? "There is no such page.");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://pages.example:${port}`,
    privateUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An ordinary article, with a title and paragraphs. */
export function article(title: string, ...paragraphs: readonly string[]): string {
  const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n");
  return `<!doctype html><html lang="en"><head><title>${title}</title></head>
<body><main><article><h1>${title}</h1>${text}</article></main></body></html>`;
}
