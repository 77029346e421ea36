import {
  afterThisTest,
  closedPort,
  listExchanges,
  loadExchange,
  type FaultServer,
  type RecordedRequest,
  type Reply,
  startDeployedServer,
  startFaultServer,
  startReplayServer,
} from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createDeployment } from "./deployment.ts";
import { diagnose, type ServerFinding } from "./diagnose.ts";
import { AbortedError } from "./errors/errors.ts";

const KEY = "tl_TESTgood";
const open: FaultServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Settings {
  /** Path the service answers below; elsewhere is a website. */
  base?: string;
  permissions?: string[];
  /** A wrong key is taken for no key. */
  anonymous?: boolean;
  ingestionPath?: string;
  /** The server has no document search. */
  lite?: boolean;
  pairs?: Record<number, string>;
  clockAheadMs?: number;
}

const WEBSITE: Reply = { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><title>Chat</title>" };

/** Answers as deployed servers do (docs/wire.md, sections 0, 3 and 5): key before content, a 404 body for no route. */
function reply(request: RecordedRequest, settings: Settings): Reply {
  const { base = "", permissions = ["admin"], anonymous = false, ingestionPath = "/service-api/ingestion" } = settings;
  if (!request.path.startsWith(`${base}/`)) return WEBSITE;
  const path = request.path.slice(base.length);
  const known = request.headers["authorization"] === `Bearer ${KEY}`;
  if (path === "/health") {
    const date = new Date(Date.now() + (settings.clockAheadMs ?? 0)).toUTCString();
    return { headers: { date }, json: { success: true, message: "ok", data: null } };
  }
  if (path === "/me") {
    if (known) return { json: { id: "u1", email: "ada@example.com", effective_permissions: permissions } };
    return anonymous
      ? { json: { id: "__anonymous_user__", is_anonymous_user: true, effective_permissions: [] } }
      : { status: 403, json: { detail: "Unauthorized" } };
  }
  if (path === ingestionPath) {
    if (settings.lite === true) return { status: 501, json: { detail: "This feature requires a vector database." } };
    if (!known) return { status: 403, json: { detail: "Access denied. User is not authenticated." } };
    const allowed = permissions.includes("admin") || permissions.includes("manage:connectors");
    return allowed
      ? { status: 422, json: { detail: [{ loc: ["body", "document"], msg: "Field required", type: "missing" }] } }
      : { status: 403, json: { error_code: "INSUFFICIENT_PERMISSIONS", detail: "You do not have the permissions." } };
  }
  const pair = /^\/manage\/admin\/cc-pair\/(\d+)$/.exec(path)?.[1];
  if (pair !== undefined) {
    const access = settings.pairs?.[Number(pair)];
    if (access === undefined) return { status: 404, json: { error_code: "CONNECTOR_NOT_FOUND", detail: "not found" } };
    return {
      json: { id: Number(pair), name: "Wiki", connector: { id: 1 }, credential: { id: 1 }, access_type: access },
    };
  }
  return { status: 404, json: { detail: "404: Not Found" } };
}

async function serverWith(settings: Settings): Promise<FaultServer> {
  const server = await startFaultServer((request) => reply(request, settings));
  open.push(server);
  return server;
}

function about(findings: readonly ServerFinding[], what: string): ServerFinding | undefined {
  return findings.find((finding) => finding.what === what);
}

describe("diagnose", () => {
  it("has nothing to complain about where all is well", async () => {
    const server = await serverWith({ pairs: { 4: "private" } });
    const needs = ["ask", "ingest", "administer"] as const;
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY, ccPairId: 4, needs });
    expect(findings.map(({ what, ok, fix }) => [what, ok, fix])).toEqual([
      ["base URL", true, ""],
      ["clock", true, ""],
      ["key", true, ""],
      ["permission to ask", true, ""],
      ["ingestion", true, ""],
      ["permission to administer", true, ""],
      ["pair", true, ""],
      ["who sees what is ingested", true, ""],
    ]);
    expect(about(findings, "key")?.evidence).toContain("ada@example.com");
  });

  it("stores nothing: every request but the listings is one the server must refuse", async () => {
    const server = await serverWith({ pairs: { 4: "private" } });
    await diagnose({ baseUrl: server.url, apiKey: KEY, ccPairId: 4 });
    const writes = server.requests.filter(({ method }) => method !== "GET");
    expect(writes.map(({ text }) => text)).toEqual(["{}"]);
  });

  it("does not send the key to find the address", async () => {
    const server = await serverWith({ base: "/api" });
    await diagnose({ baseUrl: server.url, apiKey: KEY });
    const probes = server.requests.filter(({ path }) => path.endsWith("/health"));
    expect(probes.length).toBeGreaterThan(1);
    expect(probes.filter(({ headers }) => "authorization" in headers)).toEqual([]);
  });
});

describe("the base URL", () => {
  it("that misses /api is found out, and the rest is checked at the right one", async () => {
    const server = await serverWith({ base: "/api" });
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY });
    expect(about(findings, "base URL")).toMatchObject({
      ok: false,
      fix: `Set the base URL to ${server.url}/api`,
      proposal: { baseUrl: `${server.url}/api` },
    });
    expect(about(findings, "base URL")?.evidence).toContain("website");
    expect(about(findings, "key")?.ok).toBe(true);
  });

  it("that has one /api too many is found out as well", async () => {
    const server = await serverWith({});
    const findings = await diagnose({ baseUrl: `${server.url}/api`, apiKey: KEY });
    expect(about(findings, "base URL")).toMatchObject({ ok: false, proposal: { baseUrl: server.url } });
  });

  it("where nothing listens ends the diagnosis with the reason", async () => {
    const findings = await diagnose({ baseUrl: await closedPort(), apiKey: KEY });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ what: "base URL", ok: false });
    expect(findings[0]?.evidence).toContain("nothing listens there");
  });

  it("of a website without a service ends it too", async () => {
    const server = await serverWith({ base: "/elsewhere" });
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY });
    expect(findings.map(({ ok }) => ok)).toEqual([false]);
    expect(findings[0]?.evidence).toContain("website");
  });

  it("that can be none is refused in words", async () => {
    const findings = await diagnose({ baseUrl: "http://chat.example.com", apiKey: KEY });
    expect(findings).toMatchObject([{ what: "base URL", ok: false }]);
    expect(findings[0]?.evidence).toContain("readably over the network");
  });

  it("of a server without a health operation is used all the same", async () => {
    const server = await startFaultServer((request) =>
      request.path === "/me" ? { json: { id: "u1", role: "basic" } } : { status: 404, json: { detail: "Not Found" } },
    );
    open.push(server);
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY, needs: ["ask"] });
    expect(findings.map(({ what, ok }) => [what, ok])).toEqual([
      ["base URL", "unknown"],
      ["clock", "unknown"],
      ["key", true],
      ["permission to ask", true],
    ]);
  });
});

describe("the key", () => {
  it("that is wrong ends the diagnosis", async () => {
    const findings = await diagnose({ baseUrl: (await serverWith({})).url, apiKey: "tl_TESTwrong" });
    expect(findings.at(-1)).toMatchObject({ what: "key", ok: false });
    expect(findings.at(-1)?.fix).toContain("Copy the key again");
  });

  it("that can be none is blamed on the key, not on the address", async () => {
    const server = await serverWith({});
    const findings = await diagnose({ baseUrl: server.url, apiKey: "tl_TEST\u00a0good" });
    expect(findings.map(({ what, ok }) => [what, ok])).toEqual([
      ["base URL", true],
      ["clock", true],
      ["key", false],
    ]);
    expect(about(findings, "key")?.evidence).toContain("characters no key has");
  });

  it("that is missing is asked for", async () => {
    const findings = await diagnose({ baseUrl: (await serverWith({})).url });
    expect(findings.at(-1)).toMatchObject({ what: "key", ok: false });
    expect(findings.at(-1)?.fix).toContain("Set a key");
  });

  it("that is wrong and silently anonymous is not taken for good", async () => {
    const findings = await diagnose({ baseUrl: (await serverWith({ anonymous: true })).url, apiKey: "tl_TESTwrong" });
    expect(findings.at(-1)).toMatchObject({ what: "key", ok: false });
    expect(findings.at(-1)?.evidence).toContain("does not know this key");
  });

  it("may be missing where the server admits everyone", async () => {
    const findings = await diagnose({ baseUrl: (await serverWith({ anonymous: true })).url, needs: ["ask"] });
    expect(about(findings, "key")).toMatchObject({ ok: true, fix: "" });
    expect(about(findings, "permission to ask")?.ok).toBe(true);
  });
});

describe("a server whose database is away", () => {
  it("fails the diagnosis, whatever is asked of it", async () => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    server.faults.database = "down";
    const findings = await diagnose({ baseUrl: server.url, apiKey: server.keys.admin });
    expect(findings.map(({ what, ok }) => [what, ok])).toEqual([
      ["base URL", true],
      ["clock", true],
      ["server", false],
    ]);
    expect(about(findings, "server")).toMatchObject({
      evidence: expect.stringMatching(/^It is up, but a call with this key failed: .*\(500\)/),
      fix: expect.stringContaining("log"),
    });
  });

  it("only when documents are sent fails that", async () => {
    const server = await startFaultServer((request) =>
      request.path.endsWith("/ingestion") ? { status: 500, json: { detail: "boom" } } : reply(request, {}),
    );
    open.push(server);
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY });
    expect(about(findings, "ingestion")).toMatchObject({ ok: false, evidence: expect.stringContaining("(500)") });
  });

  it("or silent fails it as well", async () => {
    const server = await startFaultServer((request) =>
      request.path === "/me" ? { stall: "before-head" } : reply(request, {}),
    );
    open.push(server);
    const timeouts = { firstByteMs: 50 };
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY, timeouts });
    expect(findings.at(-1)).toMatchObject({ what: "server", ok: false });
  });
});

describe("the memory of the account", () => {
  const look = async (which: "service" | "member", change: { use_memories?: boolean } | "off" = {}) => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    const apiKey = server.keys[which];
    if (change === "off") await createDeployment({ baseUrl: server.url, apiKey }).setMemory(false);
    return about(await diagnose({ baseUrl: server.url, apiKey, needs: ["ask"] }), "memory");
  };

  it("that is on for a service account is something to mend, by a program too", async () => {
    expect(await look("service")).toEqual({
      what: "memory",
      ok: false,
      evidence:
        "This key belongs to a service account whose memory is on: what one person tells it stands in the next person's questions.",
      fix: "Switch it off: `threadlore doctor --fix-memory`.",
      remedy: "switch_memory_off",
    });
  });

  it("that is off is well, and one person's own is theirs", async () => {
    expect(await look("service", "off")).toMatchObject({ ok: true, fix: "" });
    expect(await look("member")).toBeUndefined();
  });
});

describe("permissions", () => {
  it("that are only wished for are no failure where they are missing", async () => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    const look = (apiKey: string) =>
      diagnose({ baseUrl: server.url, apiKey, needs: ["ask"], wishes: ["ingest", "administer"] });
    const member = await look(server.keys.member);
    expect(member.filter(({ ok }) => ok === false)).toEqual([]);
    expect(about(member, "ingestion")).toEqual({
      what: "ingestion",
      ok: "unknown",
      evidence: "This key may not add documents.",
      fix: "Use a key whose owner manages connectors (on the embedded service: the role editor), if documents are to be added.",
    });
    expect(about(member, "permission to administer")?.ok).toBe("unknown");
    expect(about(member, "pair")).toBeUndefined();
    server.faults.ingestion = "missing";
    expect((await look(server.keys.admin)).filter(({ ok }) => ok === false)).toEqual([]);
    server.faults.ingestion = "on";
    // What is well, or wrong otherwise, is told as ever.
    const admin = await look(server.keys.admin);
    expect(about(admin, "ingestion")).toMatchObject({ ok: false, proposal: { profile: {} } });
    expect(about(admin, "permission to administer")?.ok).toBe(true);
  });

  it("that are missing are named with who has them", async () => {
    const server = await serverWith({ permissions: ["write:chat"] });
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY, needs: ["ask", "ingest", "administer"] });
    expect(findings.filter(({ ok }) => ok === false).map(({ what }) => what)).toEqual([
      "ingestion",
      "permission to administer",
    ]);
    expect(about(findings, "ingestion")?.fix).toContain("manages connectors");
  });

  it("that nobody needs are not looked at", async () => {
    const server = await serverWith({ permissions: ["write:chat"] });
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY, needs: ["ask"] });
    expect(findings.map(({ ok }) => ok)).not.toContain(false);
  });
});

describe("ingestion", () => {
  it("at the other known path proposes a profile", async () => {
    const server = await serverWith({ ingestionPath: "/onyx-api/ingestion" });
    const findings = await diagnose({ baseUrl: server.url, apiKey: KEY });
    expect(about(findings, "ingestion")).toMatchObject({
      ok: false,
      proposal: { profile: { ingestionPath: "/onyx-api/ingestion" } },
    });
    const profile = { ingestionPath: "/onyx-api/ingestion" };
    expect(about(await diagnose({ baseUrl: server.url, apiKey: KEY, profile }), "ingestion")?.ok).toBe(true);
  });

  it("that a server does not offer is said, with its own words", async () => {
    const finding = about(
      await diagnose({ baseUrl: (await serverWith({ lite: true })).url, apiKey: KEY }),
      "ingestion",
    );
    expect(finding).toMatchObject({ ok: false });
    expect(finding?.evidence).toContain("vector database");
  });

  it("at no known path names the paths that were tried", async () => {
    const finding = about(
      await diagnose({ baseUrl: (await serverWith({ ingestionPath: "/x" })).url, apiKey: KEY }),
      "ingestion",
    );
    expect(finding?.evidence).toContain("/service-api/ingestion or /onyx-api/ingestion");
  });
});

describe("the pair", () => {
  const pairs = { 4: "private", 5: "public", 6: "sync" };
  const look = async (ccPairId?: number) => {
    const server = await serverWith({ pairs });
    const options = { baseUrl: server.url, apiKey: KEY, needs: ["ingest"] as const };
    return diagnose(ccPairId === undefined ? options : { ...options, ccPairId });
  };

  it("that does not exist is found out", async () => {
    expect(about(await look(9), "pair")).toMatchObject({ ok: false });
  });

  it.each([
    [4, true],
    [5, "unknown"],
    [6, true],
  ])("%i is judged by who sees its documents", async (ccPairId, ok) => {
    expect(about(await look(ccPairId), "who sees what is ingested")?.ok).toBe(ok);
  });

  it("that is public is warned of", async () => {
    expect(about(await look(5), "who sees what is ingested")?.fix).toContain("private pair");
  });

  it("that is not set is warned of", async () => {
    expect(about(await look(), "pair")).toMatchObject({ ok: "unknown" });
  });
});

describe("the clock", () => {
  it.each([
    [0, true, "agree"],
    [5 * 60_000, false, "behind"],
    [-5 * 60_000, false, "ahead of"],
  ])("off by %i ms", async (clockAheadMs, ok, word) => {
    const finding = about(await diagnose({ baseUrl: (await serverWith({ clockAheadMs })).url, apiKey: KEY }), "clock");
    expect(finding?.ok).toBe(ok);
    expect(finding?.evidence).toContain(word);
  });
});

describe("streaming", () => {
  const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);
  const placed = (obj: object) => line({ placement: { turn_index: 0, tab_index: 0, model_index: 0 }, obj });
  const session = line({ chat_session_id: "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f" });
  const text = placed({ type: "message_delta", content: "Monthly." });
  const end = placed({ type: "stop" });

  async function look(answer: Reply): Promise<{ finding: ServerFinding | undefined; server: FaultServer }> {
    const server = await startFaultServer((request) =>
      request.path === "/chat/send-chat-message"
        ? { headers: { "content-type": "text/event-stream" }, framing: "chunked", ...answer }
        : reply(request, {}),
    );
    open.push(server);
    return { finding: await judged(server), server };
  }
  async function judged(
    server: FaultServer,
    settings: { readonly fetch?: (request: Request) => Promise<Response> } = {},
  ) {
    const { url: baseUrl } = server;
    const question = "How is leave accrued?";
    const findings = await diagnose({ baseUrl, apiKey: KEY, needs: ["ask"], question, ...settings });
    return about(findings, "streaming");
  }

  it("is found where the answer comes bit by bit", async () => {
    const { finding } = await look({ body: [{ bytes: session }, { bytes: text, afterMs: 150 }, { bytes: end }] });
    expect(finding).toMatchObject({ ok: true, fix: "" });
  });

  it("is missed where everything comes at once after a while", async () => {
    const { finding } = await look({ delayMs: 1_100, body: Buffer.concat([session, text, end]) });
    expect(finding).toMatchObject({ ok: false });
    expect(finding?.fix).toContain("proxy_buffering off");
  });

  it("is told by when the answer came, however long it takes to read", async () => {
    const whole = Buffer.concat([session, ...Array.from({ length: 200_000 }, () => text), end]);
    // Two pieces, as a busy machine may stop for a while between any two.
    const pieces = (bytes: Uint8Array<ArrayBuffer>) =>
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          controller.enqueue(bytes.subarray(0, bytes.length / 2));
          controller.enqueue(bytes.subarray(bytes.length / 2));
          controller.close();
        },
      });
    const server = await startFaultServer((request) => reply(request, {}));
    open.push(server);
    const atOnce = (request: Request) =>
      request.url.endsWith("/chat/send-chat-message")
        ? Promise.resolve(new Response(pieces(whole), { headers: { "content-type": "text/event-stream" } }))
        : fetch(request);
    expect(await judged(server, { fetch: atOnce })).toMatchObject({ ok: "unknown" });
  });

  it("is left open by a quick answer", async () => {
    const { finding } = await look({ body: Buffer.concat([session, text, end]) });
    expect(finding).toMatchObject({ ok: "unknown" });
  });

  it("leaves no session behind, and is not looked at unasked", async () => {
    const { server } = await look({ body: Buffer.concat([session, text, end]) });
    const deletions = server.requests.filter(({ method }) => method === "DELETE");
    expect(deletions.map(({ path }) => path)).toEqual([
      "/chat/delete-chat-session/3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f",
    ]);
    const quiet = await serverWith({});
    expect(about(await diagnose({ baseUrl: quiet.url, apiKey: KEY }), "streaming")).toBeUndefined();
    expect(quiet.requests.filter(({ path }) => path.includes("send-chat-message"))).toEqual([]);
  });

  it("is no excuse for a server that cannot answer, or breaks off", async () => {
    const failed = await look({ body: Buffer.concat([session, line({ error: "No model is set up." })]) });
    expect(failed.finding).toMatchObject({ ok: false });
    expect(failed.finding?.evidence).toContain("No model is set up.");
    const cut = await look({ body: Buffer.concat([session, text]) });
    expect(cut.finding).toMatchObject({ ok: false });
    expect(cut.finding?.evidence).toContain("broke off");
  });
});

describe("a stop", () => {
  it("throws, and leaves no finding that looks like the server's fault", async () => {
    const server = await startFaultServer([{ stall: "before-head" }]);
    open.push(server);
    const stop = new AbortController();
    const running = diagnose({ baseUrl: server.url, apiKey: KEY, signal: stop.signal });
    await server.received(1);
    stop.abort();
    await expect(running).rejects.toBeInstanceOf(AbortedError);
  });
});

const recorded = listExchanges().length > 0;

describe("recorded replies", () => {
  const replay = async (names: Record<string, string>) => {
    const server = await startReplayServer(({ path }) => {
      const name = names[path];
      return name === undefined ? undefined : loadExchange(name);
    });
    open.push(server);
    return server.url;
  };

  it.runIf(recorded)("of a server open to everyone give the wrong key away", async () => {
    const baseUrl = await replay({ "/health": "misc-health", "/me": "auth-anonymous-wrong-key-me" });
    const findings = await diagnose({ baseUrl, apiKey: "tl_TESTwrong" });
    expect(about(findings, "key")).toMatchObject({ ok: false });
  });

  it.runIf(recorded)("of a server without document search say why ingestion fails", async () => {
    const baseUrl = await replay({
      "/health": "misc-health",
      "/me": "auth-admin-key-me",
      "/onyx-api/ingestion": "ingest-lite-501",
      "/manage/admin/cc-pair/4": "misc-connector-status-lite",
    });
    const findings = await diagnose({ baseUrl, apiKey: KEY, ccPairId: 4 });
    expect(about(findings, "ingestion")).toMatchObject({ ok: false });
    expect(about(findings, "pair")).toMatchObject({ ok: "unknown" });
  });

  it.runIf(recorded)("of a token that may only chat leave the key unjudged no longer than needed", async () => {
    const baseUrl = await replay({
      "/health": "misc-health",
      "/me": "auth-nogroup-key-me",
      "/onyx-api/ingestion": "auth-pat-ingest",
    });
    const findings = await diagnose({ baseUrl, apiKey: KEY });
    expect(about(findings, "permission to ask")?.ok).toBe(true);
    expect(about(findings, "ingestion")?.ok).toBe(false);
  });

  it.runIf(recorded).each(["html-wrong-base-200", "html-wrong-base-307-login", "html-dev-only-json-404"])(
    "of a website (%s) point at /api",
    async (page) => {
      const baseUrl = await replay({ "/health": page, "/api/health": "misc-health", "/api/me": "auth-admin-key-me" });
      const findings = await diagnose({ baseUrl, apiKey: KEY, needs: ["ask"] });
      expect(findings[0]).toMatchObject({ ok: false, proposal: { baseUrl: `${baseUrl}/api` } });
    },
  );
});
