import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  cutBody,
  ownStream,
  startFaultServer,
  type FaultServer,
  type RecordedRequest,
  type Reply,
} from "@threadlore/testkit";
import { startBrowser } from "@threadlore/testkit/browser";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlaceReport } from "./browser-page.harness.ts";

/** What an extension's pages and careful web sites say: nothing is compiled, nothing becomes a script. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'";
const strictPolicy = (connect = "'self'") =>
  `default-src 'none'; script-src 'self'; connect-src ${connect}; ${TRUSTED_TYPES}`;

const HTML = { "content-type": "text/html; charset=utf-8" };
const document = '<!doctype html><title>Client</title><output></output><script src="/harness.js"></script>';

const decoded = ["plain", "no-final-newline", "surrogate-escapes", "huge-delta", "data-frames", "data-frames-rich"];
const faults = ["cut", "abort", "no-key", "html", "redirect", "redirect-elsewhere"];
const calls = [...decoded, "complete", "ingest", ...faults];

/** A file and all it imports as one classic script, as a page or a worker would ship it. */
async function bundled(file: string): Promise<string> {
  const { output } = await build({
    input: join(import.meta.dirname, file),
    platform: "browser",
    write: false,
    output: { format: "iife", name: "threadlore", minify: true },
  });
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  return output[0].code;
}

/** Bytes of the stream `plain` up to its first piece of answer. */
function untilFirstDelta(): number {
  const text = Buffer.from(ownStream("plain").response.body).toString();
  return text.indexOf("\n", text.indexOf("message_delta")) + 1;
}

function streamReply(name: string): Reply {
  const { headers, body } = ownStream(name).response;
  const { "transfer-encoding": _, ...kept } = headers;
  const most = name === "huge-delta" ? 50_000 : 60;
  return { headers: kept, framing: "chunked", body: cutBody(body, { seed: 7, most }) };
}

/** A browser drops what a page has not read yet when a connection breaks, so the cut comes some time after the piece. */
function cutInTheMiddle(): Reply {
  const { body } = ownStream("plain").response;
  const at = untilFirstDelta();
  const chunks = [{ bytes: body.subarray(0, at) }, { bytes: body.subarray(at), afterMs: 500 }];
  return { ...streamReply("plain"), body: chunks, drop: { at: at + 5, of: "body" } };
}

describe("the client's entry", () => {
  it("bundles for a browser without leaving an import behind", async () => {
    const code = await bundled("index.ts");
    const kilobytes = [code.length, gzipSync(code).length].map((bytes) => (bytes / 1000).toFixed(1));
    console.log(`@threadlore/client in a bundle: ${kilobytes.join(" kB, gzip ")} kB`);
    expect(code).not.toMatch(/\brequire\(|node:|\bprocess\./);
  });
});

// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();

describe.runIf(browser)("in a real browser", () => {
  let elsewhere: FaultServer;
  let server: FaultServer;
  let script: string;
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await elsewhere?.close();
  });

  function reply({ path }: RecordedRequest): Reply {
    const [, place = "", call = ""] = path.replace(/\?.*/, "").split("/");
    if (place === "harness.js") {
      const headers = { "content-type": "text/javascript", "content-security-policy": strictPolicy() };
      return { headers, body: script };
    }
    // Registering a worker takes a policy of its own where Trusted Types are required; the worker is under them itself.
    if (place === "through-worker") return { headers: HTML, body: document };
    if (place === "strict") return page(strictPolicy());
    if (place === "strict-but-elsewhere") return page(strictPolicy(`'self' ${elsewhere.url}`));
    if (path.includes("/stop-chat-session/")) return { json: { message: "Chat session stopped" } };
    return operation(call);
  }

  const page = (policy: string): Reply => ({ headers: { ...HTML, "content-security-policy": policy }, body: document });

  function operation(call: string): Reply {
    switch (call) {
      case "complete":
        return { body: ownStream("json-answer").response.body };
      case "ingest":
        return { json: { already_existed: false, document_id: "d1" } };
      case "cut":
        return cutInTheMiddle();
      case "abort":
        return { ...streamReply("plain"), stall: { afterBody: untilFirstDelta() } };
      case "no-key":
        return { status: 403, body: ownStream("403-no-key").response.body };
      case "html":
        return { headers: HTML, body: document };
      case "redirect":
        return { status: 302, headers: { location: "/followed" } };
      case "redirect-elsewhere":
        return { status: 307, headers: { location: `${elsewhere.url}/followed` } };
      default:
        return decoded.includes(call) ? streamReply(call) : { status: 404 };
    }
  }

  /** Opens a page whose harness makes these calls, and gives its report. */
  async function visit(path: string, base: string, names: readonly string[]): Promise<PlaceReport> {
    const opened = await browser?.context.newPage();
    if (opened === undefined) throw new Error("There is no browser");
    await opened.goto(`${server.url}/${path}?${new URLSearchParams({ base, calls: names.join(",") })}`);
    const text = await opened.locator("output:not(:empty)").textContent({ timeout: 20_000 });
    await opened.close();
    return JSON.parse(text ?? "");
  }

  beforeAll(async () => {
    script = await bundled("browser-page.harness.ts");
    elsewhere = await startFaultServer([{ json: {} }]);
    server = await startFaultServer(reply);
    console.log(`Chromium ${browser?.version}`);
  });

  describe.each([
    { place: "a page", path: "strict", scope: "[object Window]" },
    { place: "a service worker", path: "through-worker", scope: "[object ServiceWorkerGlobalScope]" },
  ])("$place", ({ path, scope }) => {
    const base = `/of-${path}`;
    let report: PlaceReport;
    beforeAll(async () => {
      report = await visit(path, base, calls);
    });
    const requestTo = (operated: string) => server.requests.find((one) => one.path.startsWith(`${base}/${operated}`));

    it("is where the calls were made, and nothing went uncaught", () => {
      expect(report).toMatchObject({ scope, uncaught: [] });
      expect(Object.keys(report.calls)).toEqual(calls);
    });

    it.each(decoded)("decodes the stream %s", (name) => {
      expect(report.calls[name]).toEqual({ text: ownStream(name).expected.text });
    });

    it("gets complete answers and submits documents", () => {
      expect(report.calls["complete"]).toEqual({ text: ownStream("json-answer").expected.text });
      expect(report.calls["ingest"]).toEqual({ text: "d1" });
      expect(requestTo("ingest")).toMatchObject({
        path: `${base}/ingest/service-api/ingestion`,
        headers: { authorization: "Bearer tl_TEST_canary", "content-type": "application/json" },
      });
    });

    it("says that a stream cut in the middle is a part of an answer", () => {
      expect(report.calls["cut"]).toMatchObject({ text: "The code of the shed ", failure: "PartialAnswerError" });
    });

    it("closes the connection of a call that is aborted, and stops the run", async () => {
      expect(report.calls["abort"]).toMatchObject({ text: "The code of the shed ", failure: "AbortedError" });
      await requestTo("abort/chat/send-chat-message")?.closed;
      await expect.poll(() => requestTo("abort/chat/stop-chat-session/")?.method).toBe("POST");
    });

    it("names a refused key, a web page and a redirect for what they are", () => {
      expect(report.calls["no-key"]).toMatchObject({ failure: "AuthError", message: expect.stringMatching(/key/i) });
      for (const name of ["html", "redirect", "redirect-elsewhere"]) {
        expect(report.calls[name]).toMatchObject({ text: "", failure: "WrongBaseUrlError" });
      }
      expect([...server.requests, ...elsewhere.requests].map((one) => one.path)).not.toContain("/followed");
    });

    it("violates nothing of a policy that forbids compiling code", async () => {
      expect(report.violations).toEqual([]);
      const { violations } = await visit(path, base, ["compile"]);
      expect(violations).not.toEqual([]);
    });
  });

  it("says in plain words that another origin, which allows no such calls, cannot be used", async () => {
    const { calls: made, violations } = await visit("strict-but-elsewhere", elsewhere.url, ["plain"]);
    expect(violations).toEqual([]);
    expect(made["plain"]).toMatchObject({ text: "", failure: "UnavailableError" });
    expect(made["plain"]?.message).toContain(`127.0.0.1:${elsewhere.port}`);
    // The browser asks first, and the message itself never leaves.
    expect(elsewhere.requests.map(({ method }) => method)).toEqual(["OPTIONS"]);
  });
});
