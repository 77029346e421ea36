import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { KindPage } from "./kind-page.ts";

/** The pages, each on a site of its own. */
export interface KindSites {
  /** Address of a page, such as `http://harbour-times.example:40001/2026/ferry`. */
  address(page: KindPage): string;
  close(): Promise<void>;
}

/** What stands in a page for the origin of another site. */
const ELSEWHERE = "https://elsewhere.example";
/** The cookie of whoever is signed in. */
const SIGNED_IN = "member=yes";

/** Serves the pages on this machine, under names of the open web. */
export async function serveKinds(pages: readonly KindPage[]): Promise<KindSites> {
  const found = new Map<string, { readonly page: KindPage; readonly beside?: string }>();
  for (const page of pages) {
    found.set(page.at.split("#", 1)[0] ?? "", { page });
    const [host = ""] = page.at.split("/", 1);
    for (const [path, beside] of Object.entries(page.beside ?? {})) found.set(`${host}${path}`, { page, beside });
  }
  const server = createServer(({ url = "/", headers: { host = "", cookie = "" } }, response) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const site = host.replace(/\.example:\d+$/, "");
    const one = found.get(`${site}${url}`) ?? inside(url);
    if (one === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.");
      return;
    }
    const { page, beside } = one;
    const isStranger = page.strangersSee !== undefined && !cookie.includes(SIGNED_IN);
    const body = beside ?? (isStranger ? page.strangersSee : page.body) ?? "";
    response.writeHead(200, {
      "content-type": beside === undefined && page.type !== undefined ? page.type : "text/html; charset=utf-8",
    });
    response.end(typeof body === "string" ? body.replaceAll(ELSEWHERE, origin) : body);
  });
  /** Other sites have one host for all of them. */
  const inside = (path: string) => [...found].find(([at]) => at.slice(at.indexOf("/")) === path)?.[1];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address({ at }) {
      const slash = at.indexOf("/");
      return `http://${at.slice(0, slash)}.example:${port}${at.slice(slash)}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
