import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { sharedFolder } from "@threadlore/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchPublicPage, FetchRefusedError, isPublicAddress, type Reply } from "./guarded-fetch.ts";

const PUBLIC = "93.184.215.14";

/** A world of fake names and one fake web server; every address a connection would go to is written down. */
function fakeWorld(pages: Record<string, { status: number; location?: string; text?: string }> = {}) {
  const reached: string[] = [];
  const lookups = new Map<string, number>();
  return {
    reached,
    resolve: async (host: string): Promise<string[]> => {
      const turn = lookups.get(host) ?? 0;
      lookups.set(host, turn + 1);
      if (host === "rebind.test") return [turn === 0 ? PUBLIC : "127.0.0.1"];
      if (host === "ok.test") return [PUBLIC];
      if (host === "mixed.test") return [PUBLIC, "10.0.0.1"];
      if (/^localhost\.?$|\.localhost$/i.test(host)) return ["127.0.0.1"];
      if (host === "metadata.google.internal") return ["169.254.169.254"];
      throw new Error(`ENOTFOUND ${host}`);
    },
    send: async (url: URL, address: string): Promise<Reply> => {
      reached.push(address);
      const page = pages[url.pathname] ?? { status: 200, text: "hello" };
      const body = (async function* () {
        yield new TextEncoder().encode(page.text ?? "");
      })();
      return {
        status: page.status,
        headers: { "content-type": "text/html; charset=utf-8", location: page.location },
        body,
      };
    },
  };
}

/** Our own list, so that a clone alone tests it; `../shared` has a longer one. */
const MUST_BLOCK = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://localhost/",
  "http://foo.localhost/",
  "http://169.254.169.254/latest/meta-data/",
  "http://metadata.google.internal/",
  "http://10.0.0.1/",
  "http://100.64.0.1/",
  "http://[fc00::1]/",
  "http://mixed.test/",
  "http://user@ok.test/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:6379/_x",
  "http://ok.test/redirect-to-127",
  "http://ok.test/redirect-to-file",
  "http://ok.test/redirect-loop",
];

const PAGES = {
  "/redirect-to-127": { status: 302, location: "http://127.0.0.1/" },
  "/redirect-to-file": { status: 302, location: "file:///etc/passwd" },
  "/redirect-loop": { status: 302, location: "/redirect-loop" },
};

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("fetchPublicPage", () => {
  it.each(MUST_BLOCK)("T24: refuses %s and reaches no private address", async (address) => {
    const world = fakeWorld(PAGES);
    await expect(fetchPublicPage(address, world)).rejects.toThrow(FetchRefusedError);
    expect(world.reached.filter((reached) => reached !== PUBLIC)).toEqual([]);
  });

  const vectors = sharedFolder("vectors");
  it.runIf(vectors !== undefined)("T24: refuses every listed address", async () => {
    const listed = JSON.parse(readFileSync(join(vectors ?? "", "net-vectors.json"), "utf8")) as {
      ssrf_must_block: string[];
    };
    expect(listed.ssrf_must_block.length).toBeGreaterThan(30);
    for (const line of listed.ssrf_must_block) {
      const world = fakeWorld(PAGES);
      const address = line.split(" ")[0] ?? "";
      const outcome = await fetchPublicPage(address, world).then(
        () => "fetched",
        (error: unknown) => (error instanceof FetchRefusedError ? "refused" : error),
      );
      // One lookup only, so rebind.test's second answer is never seen: the page comes from the first, public address.
      expect(outcome, line).toBe(address === "http://rebind.test/" ? "fetched" : "refused");
      expect(
        world.reached.filter((reached) => reached !== PUBLIC),
        line,
      ).toEqual([]);
    }
  });

  it("T24: connects to the address it checked, whatever a second lookup would say", async () => {
    const world = fakeWorld();
    await fetchPublicPage("http://rebind.test/", world);
    expect(world.reached).toEqual([PUBLIC]);
  });

  it("follows three redirects and says where the page was found", async () => {
    const world = fakeWorld({
      "/1": { status: 301, location: "/2" },
      "/2": { status: 307, location: "/3" },
      "/3": { status: 302, location: "/4" },
    });
    const page = await fetchPublicPage("http://ok.test/1", world);
    expect(page).toMatchObject({ url: "http://ok.test/4", contentType: "text/html" });
  });

  it("gets a page of this machine only when private addresses are allowed", async () => {
    const base = await serve((_request, response) => response.setHeader("content-type", "text/plain").end("hello"));
    await expect(fetchPublicPage(base)).rejects.toThrow("--allow-private");
    const page = await fetchPublicPage(base, { allowPrivate: true });
    expect(Buffer.from(page.bytes).toString()).toBe("hello");
    expect(page.contentType).toBe("text/plain");
  });

  it("sends the name, not the address, as Host while connecting to the pinned address", async () => {
    let host: string | undefined;
    const base = await serve((request, response) => {
      host = request.headers.host;
      response.end("ok");
    });
    const port = new URL(base).port;
    await fetchPublicPage(`http://intranet.test:${port}/`, { allowPrivate: true, resolve: async () => ["127.0.0.1"] });
    expect(host).toBe(`intranet.test:${port}`);
  });

  it("stops reading at 5 MB", async () => {
    let sent = 0;
    const base = await serve((_request, response) => {
      const chunk = Buffer.alloc(100_000);
      const pour = (): void => {
        while (!response.destroyed && sent < 50_000_000) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", pour);
            return;
          }
        }
      };
      pour();
    });
    await expect(fetchPublicPage(base, { allowPrivate: true })).rejects.toThrow("larger than 5 MB");
    expect(sent).toBeLessThan(50_000_000);
  });

  it("refuses a page that is not there", async () => {
    const base = await serve((_request, response) => response.writeHead(404).end("no"));
    await expect(fetchPublicPage(base, { allowPrivate: true })).rejects.toThrow("status 404");
  });

  it("ends at once when the person stops it", async () => {
    const base = await serve(() => {});
    const stop = new AbortController();
    const fetched = fetchPublicPage(base, { allowPrivate: true, signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(fetched).rejects.not.toThrow(FetchRefusedError);
  });
});

describe("isPublicAddress", () => {
  it.each([PUBLIC, "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])("lets %s through", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  it.each(["0.0.0.0", "192.168.1.1", "172.31.0.1", "240.0.0.1", "::", "fe80::1", "2001:db8::1", "ff02::1", "x", ""])(
    "refuses %s",
    (address) => expect(isPublicAddress(address)).toBe(false),
  );
});

describe("T24 by a proxy", () => {
  const isProxied = (): boolean => true;
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** Answers in the proxy's place; what it was asked for is written down. */
  function proxy(answers: Record<string, Response> = {}): string[] {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (url: URL, init: RequestInit) => {
      expect(init.redirect).toBe("manual");
      asked.push(url.href);
      return answers[url.href] ?? new Response("hello", { headers: { "content-type": "text/html; charset=utf-8" } });
    });
    return asked;
  }

  it("a name that only it knows is asked for, and nothing is connected to from here", async () => {
    const asked = proxy();
    const world = fakeWorld();
    const page = await fetchPublicPage("https://outside.test/a", { ...world, isProxied });
    expect(new TextDecoder().decode(page.bytes)).toBe("hello");
    expect(page.contentType).toBe("text/html");
    expect([asked, world.reached]).toEqual([["https://outside.test/a"], []]);
  });

  it.each(MUST_BLOCK.filter((url) => !url.includes("redirect")))("%s is not asked for", async (url) => {
    const asked = proxy();
    await expect(fetchPublicPage(url, { ...fakeWorld(), isProxied })).rejects.toThrow(FetchRefusedError);
    expect(asked).toEqual([]);
  });

  it("a redirect to what is private here is not followed", async () => {
    const location = "http://mixed.test/";
    const asked = proxy({ "http://ok.test/": new Response(null, { status: 302, headers: { location } }) });
    await expect(fetchPublicPage("http://ok.test/", { ...fakeWorld(), isProxied })).rejects.toThrow("private address");
    expect(asked).toEqual(["http://ok.test/"]);
  });
});
