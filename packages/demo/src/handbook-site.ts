import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { createMarkdown, noLinks } from "@threadlore/ask";
import { toHtml } from "@threadlore/ask/html";
import { filesIn, handbookFiles } from "./handbook.ts";

const NOTICEBOARD = fileURLToPath(new URL("../noticeboard", import.meta.url));

interface SitePage {
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

/** Serves the handbook as web pages, and a noticeboard that nobody has told the service about, on this machine. Is the port taken, any other one is used. */
export async function openHandbookSite(port: number) {
  const notices = await filesIn(NOTICEBOARD);
  const pages = [...(await pagesOf("notices", notices)), ...(await pagesOf("handbook", await handbookFiles()))];
  const byPath = new Map(pages.map((page) => [page.path, documentOf(page, pages)]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const found = byPath.get(pathname === "/" ? (pages[0]?.path ?? "") : pathname);
    response.writeHead(found === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    });
    response.end(found ?? "<!doctype html><title>Nothing here</title><p>There is no such page.");
  });
  const listening = (wanted: number) => once(server.listen(wanted, "127.0.0.1"), "listening");
  await listening(port).catch(() => listening(0));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function pagesOf(section: string, files: readonly { readonly path: string }[]): Promise<SitePage[]> {
  return Promise.all(
    files.map(async ({ path }) => {
      const text = await readFile(path, "utf8");
      const title = /^# (.+)$/m.exec(text)?.[1] ?? basename(path, ".md");
      // Citation marks have no place in a document: every bracket is the author's.
      const html = toHtml(createMarkdown().push(text), noLinks);
      return { path: `/${section}/${basename(path, ".md")}`, title, html };
    }),
  );
}

const STYLE = `
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 44rem); grid-template-areas: "nav main"; gap: 3rem; font: 17px/1.6 system-ui, sans-serif; color: #1d2b33; background: #fbfcfc; }
nav { grid-area: nav; padding: 2rem 1rem 2rem 2rem; font-size: 14px; background: #eef4f5; min-height: 100vh; box-sizing: border-box; }
nav strong { display: block; margin: 1.2rem 0 .3rem; }
nav a { display: block; padding: .15rem 0; color: #0b6477; text-decoration: none; }
nav a[aria-current] { font-weight: 600; color: #1d2b33; }
main { grid-area: main; padding: 2rem 2rem 4rem 0; }
h1 { line-height: 1.2; }
table { border-collapse: collapse; }
th, td { padding: .35rem .8rem; border: 1px solid #cbd8db; text-align: left; }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; background: #eef4f5; }
@media (max-width: 60rem) { body { display: block; } nav { min-height: 0; } main { padding: 1rem 2rem; } }
@media (prefers-color-scheme: dark) { body { color: #dfe8ea; background: #11191c; } nav, code, pre { background: #18242a; } nav a { color: #6fc6d8; } nav a[aria-current] { color: #dfe8ea; } th, td { border-color: #33454c; } }
`;

function documentOf(page: SitePage, pages: readonly SitePage[]): string {
  const links = (section: string): string =>
    pages
      .filter(({ path }) => path.startsWith(`/${section}/`))
      .map(({ path, title }) => {
        const current = path === page.path ? ' aria-current="page"' : "";
        return `<a href="${path}"${current}>${escaped(title)}</a>`;
      })
      .join("\n");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(page.title)} · Tidewell</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body><main><article>${page.html}</article></main>
<nav aria-label="Tidewell"><strong>Noticeboard</strong>${links("notices")}<strong>Handbook</strong>${links("handbook")}</nav>
</body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
