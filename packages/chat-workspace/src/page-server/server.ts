import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { transformSync } from "oxc-transform";
import { perform } from "./acts.ts";
import { viewOf } from "./view.ts";
import { placeOf } from "../page/view.ts";
import { readBody } from "../web-api/read-request.ts";
import type { Workspace } from "../running-workspace.ts";

/** What answers every request that is none of the platform's own. */
export type Page = ReturnType<typeof createPage>;

/** The page's own modules, sent as JavaScript. */
const MODULES = [
  ["main.tsx", "app.tsx", "message.tsx", "blocks.tsx", "markdown.tsx", "mrkdwn.tsx", "composer.tsx", "modal.tsx"],
  ["buttons.tsx", "lookups.tsx"],
  ["connection.ts", "emoji.ts", "json.ts", "view.ts"],
].flat();

/** Libraries the page imports, by the name the page's import map gives them. */
const LIBRARIES: Readonly<Record<string, string>> = {
  preact: "preact",
  "preact-hooks": "preact/hooks",
  "preact-jsx": "preact/jsx-runtime",
  marked: "marked",
};

/** For everything the page is made of. */
const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

const MAX_ACT_BYTES = 40 * 1024 * 1024;

/** The page to talk in: channels, threads, direct messages, buttons and dialogs, for anybody in the workspace. */
export function createPage(workspace: Workspace) {
  const watchers = new Set<ServerResponse>();
  let told = true;
  const tell = (): void => {
    // Changes come in bursts while an answer streams; one word to the page is enough for all of a turn of the loop.
    if (!told) return;
    told = false;
    setImmediate(() => {
      told = true;
      for (const watcher of watchers) watcher.write("data: changed\n\n");
    });
  };
  const unfollow = workspace.onChange(tell);

  const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => unknown>> = {
    "GET /": (_request, response) => {
      const html = pageFile("index.html");
      response.setHeader("content-security-policy", policyFor(html));
      send(response, "text/html; charset=utf-8", html);
    },
    "GET /page/page.css": (_request, response) => send(response, "text/css; charset=utf-8", pageFile("page.css")),
    "GET /page/view": (_request, response, { searchParams: words }) => {
      send(response, "application/json", JSON.stringify(viewOf(workspace, placeOf(words))));
    },
    "GET /page/search": async (_request, response, { searchParams: words }) => {
      const outcome = await workspace.person(words.get("as") ?? "").search(words.get("query") ?? "");
      send(response, "application/json", JSON.stringify(outcome));
    },
    "GET /page/changes": (request, response) => {
      response.writeHead(200, { ...SECURITY_HEADERS, "content-type": "text/event-stream" });
      response.write("retry: 500\n\n");
      watchers.add(response);
      request.once("close", () => watchers.delete(response));
    },
    "POST /page/act": async (request, response) => {
      // A form of another site cannot send this type without asking first.
      if (request.headers["content-type"] !== "application/json") return refuse(response, 415, "Send JSON.");
      const body = await readBody(
        request,
        MAX_ACT_BYTES,
        "That is more than can be sent at once; attach smaller files.",
      );
      await perform(workspace, JSON.parse(body.toString("utf8")));
      response.writeHead(204, SECURITY_HEADERS).end();
    },
  };

  return {
    /** Answers a request under `/`. */
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const url = new URL(request.url ?? "/", workspace.url);
      const route = routes[`${request.method ?? ""} ${url.pathname}`];
      try {
        if (route !== undefined) await route(request, response, url);
        else if (request.method === "GET") sendNamed(workspace, url, response);
        else refuse(response, 404, "There is no such page.");
      } catch (error) {
        refuse(response, 400, error instanceof Error ? error.message : String(error));
      }
    },
    /** Ends what is open; the workspace closes. */
    close(): void {
      unfollow();
      for (const watcher of watchers) watcher.end();
    },
  };
}

/** A message's permalink, a module, a library or an attached file. */
function sendNamed(workspace: Workspace, { pathname: path, searchParams }: URL, response: ServerResponse): void {
  const [, channel, seconds, rest] = /^\/archives\/(\w+)\/p(\d+)(\d{6})$/.exec(path) ?? [];
  if (channel !== undefined) {
    const words = new URLSearchParams({ channel, thread: searchParams.get("thread_ts") ?? `${seconds}.${rest}` });
    response.writeHead(302, { ...SECURITY_HEADERS, location: `/#${words.toString()}` }).end();
    return undefined;
  }
  const [, kind = "", name = ""] = /^\/page\/(?:(library|file)\/)?([\w.-]+)$/.exec(path) ?? [];
  if (kind === "library" && Object.hasOwn(LIBRARIES, name) && LIBRARIES[name] !== undefined) {
    const file = fileURLToPath(import.meta.resolve(LIBRARIES[name]));
    return send(response, JAVASCRIPT, readFileSync(file, "utf8"));
  }
  if (kind === "file") {
    const file = workspace.file(name);
    if (file === undefined) return refuse(response, 404, "There is no such file.");
    // Never shown here: a page or picture somebody attached stays a download.
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    });
    response.end(file.content);
    return undefined;
  }
  if (kind === "" && MODULES.includes(name)) return send(response, JAVASCRIPT, moduleText(name));
  return refuse(response, 404, "There is no such page.");
}

/** Nothing from elsewhere is ever run, shown or fetched, whatever a message says; the import map alone is inline. */
function policyFor(html: string): string {
  const importMap = /<script type="importmap">([^]*?)<\/script>/.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(importMap).digest("base64");
  const script = `script-src 'self' 'sha256-${hash}'`;
  return `default-src 'none'; ${script}; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

const JAVASCRIPT = "text/javascript; charset=utf-8";

const modules = new Map<string, string>();

/** A module of the page without its types, JSX made calls; the browser runs what stands in `page/`. */
function moduleText(name: string): string {
  const known = modules.get(name);
  if (known !== undefined) return known;
  const { code, errors } = transformSync(name, pageFile(name), {
    jsx: { runtime: "automatic", importSource: "preact" },
  });
  if (errors.length > 0) throw new Error(`${name} cannot be read: ${errors.map(({ message }) => message).join("; ")}`);
  modules.set(name, code);
  return code;
}

function pageFile(name: string): string {
  return readFileSync(new URL(`../page/${name}`, import.meta.url), "utf8");
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { ...SECURITY_HEADERS, "content-type": type }).end(body);
}

function refuse(response: ServerResponse, status: number, words: string): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { ...SECURITY_HEADERS, "content-type": "text/plain; charset=utf-8" }).end(words);
  return undefined;
}
