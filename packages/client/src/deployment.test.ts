import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  listExchanges,
  loadExchange,
  type Reply,
  afterThisTest,
  startFaultServer,
  startReplayServer,
  type FaultServer,
} from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createDeployment, type Deployment, permissionsOf } from "./deployment.ts";
import {
  InvalidRequestError,
  NotFoundError,
  PartialAnswerError,
  PermissionError,
  ProtocolError,
  UnsupportedError,
} from "./errors/errors.ts";
import type { Packet } from "./models.ts";

const SESSION = "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f";
const open: FaultServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** A deployment over a server that answers `METHOD /path` as told, and everything else as an unknown route. */
async function serving(replies: Record<string, Reply>): Promise<{ deployment: Deployment; server: FaultServer }> {
  const server = await startFaultServer(({ method, path }) => {
    const reply = replies[`${method} ${path}`] ?? replies[`${method} ${path.replace(/\?.*/, "")}`];
    return reply ?? { status: 404, json: { detail: "404: Not Found" } };
  });
  open.push(server);
  const deployment = createDeployment({ baseUrl: server.url, apiKey: "tl_TEST", retries: { baseMs: 1 } });
  return { deployment, server };
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a reply of another shape", () => {
  it("is told by a few of its places, however many there are", async () => {
    const messages = Array.from({ length: 20_000 }, () => ({}));
    const server = await startFaultServer([{ json: { chat_session_id: "s", messages } }]);
    open.push(server);
    const told: unknown = await createDeployment({ baseUrl: server.url })
      .getSession("s")
      .catch((error: unknown) => error);
    expect(told).toBeInstanceOf(ProtocolError);
    expect(String(told)).toMatch(/\(at messages\.0\.message_id, [^,]+, [^,]+ and 59997 more places\)\.$/);
  });
});

describe("operations a server may not have", () => {
  it.each([
    ["an unknown route", { status: 404, json: { detail: "404: Not Found" } }],
    ["another framework's unknown route", { status: 404, json: { detail: "Not Found" } }],
    ["a method it does not know there", { status: 405, json: { detail: "Method Not Allowed" } }],
    ["a feature that is switched off", { status: 501, json: { detail: "This feature requires a vector database." } }],
  ])("are told apart from failures: %s", async (_case, reply) => {
    const { deployment, server } = await serving({ "GET /persona": reply });
    expect(deployment.supports("personas")).toBe("unknown");
    expect(await failure(deployment.personas())).toBeInstanceOf(UnsupportedError);
    expect(deployment.supports("personas")).toBe("no");
    expect(await failure(deployment.personas())).toBeInstanceOf(UnsupportedError);
    expect(server.requests).toHaveLength(1);
  });

  it("are not confused with things the server does not have", async () => {
    const { deployment, server } = await serving({
      [`POST /chat/stop-chat-session/${SESSION}`]: {
        status: 404,
        json: { error_code: "SESSION_NOT_FOUND", detail: "Chat session not found" },
      },
      "GET /manage/admin/cc-pair/7": { status: 404, json: { error_code: "CONNECTOR_NOT_FOUND", detail: "Not Found" } },
    });
    expect(await failure(deployment.stop(SESSION))).toBeInstanceOf(NotFoundError);
    expect(await failure(deployment.stop(SESSION))).toBeInstanceOf(NotFoundError);
    expect(await failure(deployment.pair(7))).toBeInstanceOf(NotFoundError);
    expect(server.requests).toHaveLength(3);
    expect(deployment.supports("stop")).toBe("unknown");
  });

  it("are remembered for one server only, and one at a time", async () => {
    const first = await serving({ "GET /persona": { status: 501 }, "GET /tool": { json: [] } });
    expect(await failure(first.deployment.personas())).toBeInstanceOf(UnsupportedError);
    expect(await first.deployment.tools()).toEqual([]);
    expect([first.deployment.supports("personas"), first.deployment.supports("tools")]).toEqual(["no", "yes"]);
    const second = await serving({ "GET /persona": { json: [{ id: 0, name: "Assistant" }] } });
    expect(await second.deployment.personas()).toHaveLength(1);
  });
});

describe("sessions", () => {
  it("are created, listed, renamed and deleted by their wire calls", async () => {
    const { deployment, server } = await serving({
      "POST /chat/create-chat-session": { json: { chat_session_id: SESSION, incognito: false } },
      "GET /chat/get-user-chat-sessions": { json: { sessions: [{ id: SESSION, name: "" }], has_more: false } },
      "PUT /chat/rename-chat-session": { json: { new_name: "Leave" } },
      [`DELETE /chat/delete-chat-session/${SESSION}`]: { json: null },
    });
    expect(await deployment.createSession({ persona_id: 2 })).toBe(SESSION);
    expect((await deployment.listSessions({ pageSize: 5 })).sessions).toMatchObject([{ id: SESSION }]);
    expect(await deployment.renameSession(SESSION, "Leave")).toBe("Leave");
    await deployment.deleteSession(SESSION);
    expect(server.requests.map(({ method, path, text }) => `${method} ${path} ${text}`)).toEqual([
      `POST /chat/create-chat-session {"persona_id":2}`,
      "GET /chat/get-user-chat-sessions?page_size=5 ",
      `PUT /chat/rename-chat-session {"chat_session_id":"${SESSION}","name":"Leave"}`,
      `DELETE /chat/delete-chat-session/${SESSION} `,
    ]);
  });

  it("are unknown by an id that only their path makes unknown", async () => {
    const { deployment } = await serving({});
    for (const id of ["a/b", "a?b", "a b"]) {
      expect(await failure(deployment.getSession(id))).toBeInstanceOf(NotFoundError);
      expect(await failure(deployment.deleteSession(id))).toBeInstanceOf(NotFoundError);
    }
    expect(await failure(deployment.getSession(SESSION))).toBeInstanceOf(UnsupportedError);
  });

  it("of another user are refused, not missing", async () => {
    const { deployment } = await serving({
      [`GET /chat/get-chat-session/${SESSION}`]: { status: 403, json: { detail: "Access denied" } },
    });
    expect(await failure(deployment.getSession(SESSION))).toBeInstanceOf(PermissionError);
  });

  it.each(["", ".", ".."])("never lets the id %j change the path", async (id) => {
    const { deployment, server } = await serving({});
    expect(await failure(deployment.deleteSession(id))).toBeInstanceOf(InvalidRequestError);
    expect(await failure(deployment.deleteDocument(id))).toBeInstanceOf(InvalidRequestError);
    expect(server.requests).toHaveLength(0);
  });
});

describe("resuming an answer", () => {
  const line = (obj: object) => `${JSON.stringify({ placement: { turn_index: 0, tab_index: 0 }, obj })}\n`;
  const path = `GET /chat/chat-session/${SESSION}/resume-stream`;
  const headers = { "content-type": "text/event-stream" };

  async function packetsOf(deployment: Deployment): Promise<Packet[]> {
    const packets: Packet[] = [];
    for await (const packet of deployment.resume(SESSION)) packets.push(packet);
    return packets;
  }

  it("gives the same packets a new answer's stream would", async () => {
    const body =
      line({ type: "message_start" }) + line({ type: "message_delta", content: "Yes" }) + line({ type: "stop" });
    const { deployment, server } = await serving({ [path]: { headers, body } });
    expect((await packetsOf(deployment)).map((packet) => "obj" in packet && packet.obj)).toMatchObject([
      { type: "message_start" },
      { type: "message_delta", content: "Yes" },
      { type: "stop" },
    ]);
    expect(server.requests[0]?.path).toBe(`/chat/chat-session/${SESSION}/resume-stream?cursor=0`);
  });

  it("throws for an answer that breaks off, after what came", async () => {
    const { deployment } = await serving({ [path]: { headers, body: line({ type: "message_delta", content: "Ye" }) } });
    const seen: Packet[] = [];
    const reading = (async () => {
      for await (const packet of deployment.resume(SESSION)) seen.push(packet);
    })();
    expect(await failure(reading)).toBeInstanceOf(PartialAnswerError);
    expect(seen).toHaveLength(1);
  });

  it("ends at once when its reader leaves while nothing comes", async () => {
    const { deployment, server } = await serving({ [path]: { headers, framing: "chunked", stall: "after-head" } });
    const packets = deployment.resume(SESSION)[Symbol.asyncIterator]();
    const waiting = packets.next();
    const request = await server.received(1);
    expect(await packets.return?.()).toEqual({ done: true, value: undefined });
    expect((await waiting).done).toBe(true);
    await request.closed;
  });

  it("tells nothing being written from a server that cannot resume", async () => {
    const idle = await serving({ [path]: { status: 404, json: { error_code: "NOT_FOUND", detail: "No active run" } } });
    expect(await failure(packetsOf(idle.deployment))).toBeInstanceOf(NotFoundError);
    const older = await serving({});
    expect(await failure(packetsOf(older.deployment))).toBeInstanceOf(UnsupportedError);
    // What is said of one session's path is not said of the next one's.
    expect(older.deployment.supports("resume")).toBe("unknown");
    expect(await failure(packetsOf(older.deployment))).toBeInstanceOf(UnsupportedError);
    expect(older.server.requests).toHaveLength(2);
  });
});

describe("upload", () => {
  const file = { name: "leave.txt", content: new Blob(["Leave is accrued monthly."], { type: "text/plain" }) };
  const noFile: Reply = {
    status: 422,
    json: { detail: [{ loc: ["body", "files"], msg: "Field required", type: "missing" }] },
  };
  const answering =
    (json: unknown) =>
    (text: string): Reply =>
      text.includes("leave.txt") ? { json } : noFile;

  async function uploading(paths: Record<string, (text: string) => Reply>) {
    const server = await startFaultServer(
      ({ path, text }) => paths[path]?.(text) ?? { status: 404, json: { detail: "404: Not Found" } },
    );
    open.push(server);
    return { server, deployment: createDeployment({ baseUrl: server.url, apiKey: "tl_TEST" }) };
  }

  it("reads the form of deployed servers, refused files included", async () => {
    const { deployment, server } = await uploading({
      "/user/projects/file/upload": answering({
        user_files: [
          { id: "user-1", file_id: "blob-1", name: "leave.txt", status: "PROCESSING", chat_file_type: "plain_text" },
        ],
        rejected_files: [{ file_name: "x.bin", reason: "Unsupported file type: .bin" }],
      }),
    });
    expect(await deployment.upload([file])).toEqual({
      files: [
        {
          name: "leave.txt",
          fileId: "blob-1",
          status: "PROCESSING",
          descriptor: { id: "blob-1", type: "plain_text", name: "leave.txt", user_file_id: "user-1" },
        },
      ],
      rejected: [{ name: "x.bin", reason: "Unsupported file type: .bin" }],
    });
    expect(server.requests.at(-1)?.text).toContain("Leave is accrued monthly.");
    expect(server.requests.at(-1)?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
  });

  it("reads the bare list of the specification's path, and sends no file where it does not belong", async () => {
    const { deployment, server } = await uploading({
      "/user/file/upload": answering([{ id: "f1", name: "leave.txt", chat_file_type: "plain_text" }]),
    });
    const { files, rejected } = await deployment.upload([file]);
    expect(files).toMatchObject([{ fileId: "f1", descriptor: { id: "f1", type: "plain_text", user_file_id: "f1" } }]);
    expect(rejected).toEqual([]);
    const misdirected = server.requests.filter(
      ({ path, text }) => path !== "/user/file/upload" && text.includes("accrued"),
    );
    expect(misdirected).toEqual([]);
  });

  it("looks for the path once", async () => {
    const { deployment, server } = await uploading({ "/user/file/upload": answering([{ id: "f1" }]) });
    await deployment.upload([file]);
    await deployment.upload([file]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/user/projects/file/upload",
      "/user/file/upload",
      "/user/file/upload",
      "/user/file/upload",
    ]);
  });

  it("looks for the path again when the server no longer has it", async () => {
    let path = "/user/projects/file/upload";
    const server = await startFaultServer((request) => {
      if (request.path !== path) return { status: 404, json: { detail: "404: Not Found" } };
      return request.text.includes("filename")
        ? { json: [{ id: "f" }] }
        : { status: 422, json: { detail: "no files" } };
    });
    open.push(server);
    const deployment = createDeployment({ baseUrl: server.url, apiKey: "tl_TEST" });
    await deployment.upload([file]);
    path = "/user/file/upload";
    expect((await deployment.upload([file])).files).toMatchObject([{ fileId: "f" }]);
  });

  it("says so where a server takes no files, and does not ask for nothing", async () => {
    const { deployment, server } = await uploading({});
    expect(await deployment.upload([])).toEqual({ files: [], rejected: [] });
    expect(server.requests).toHaveLength(0);
    expect(await failure(deployment.upload([file]))).toBeInstanceOf(UnsupportedError);
    expect(deployment.supports("upload")).toBe("no");
  });
});

describe("pairs and documents", () => {
  const wiki = { name: "Wiki", connector: { id: 3, source: "web" }, credential: { id: 4 }, access_type: "private" };

  it("gives a pair its number whichever way it was asked for", async () => {
    const { deployment } = await serving({
      "GET /manage/admin/connector/status": { json: [{ ...wiki, cc_pair_id: 5 }] },
      "GET /manage/admin/cc-pair/5": { json: { ...wiki, id: 5 } },
    });
    expect(await deployment.pairs()).toMatchObject([{ cc_pair_id: 5, connector: { id: 3 } }]);
    expect(await deployment.pair(5)).toMatchObject({ cc_pair_id: 5, access_type: "private" });
  });

  it("deletes by the id the server gave, encoded once more", async () => {
    const kept = "https%3A%2F%2Fexample.com%2Fa_b";
    const path = `/onyx-api/ingestion/${encodeURIComponent(kept)}`;
    const server = await startFaultServer((request) =>
      request.path.split("?")[0] === path ? { json: null } : { status: 404, json: { detail: "404: Not Found" } },
    );
    open.push(server);
    const profile = { ingestionPath: "/onyx-api/ingestion" };
    const deployment = createDeployment({ baseUrl: server.url, apiKey: "tl_TEST", profile });
    await deployment.deleteDocument(kept);
    await deployment.deleteDocument(kept, { pairId: 7 });
    await deployment.deleteDocument(kept, { pairId: "all" });
    expect(server.requests.map((request) => `${request.method} ${request.path.slice(path.length)}`)).toEqual([
      "DELETE ",
      "DELETE ?cc_pair_id=7",
      "DELETE ?cc_pair_id=all",
    ]);
  });

  it("deletes by the id that was sent, where the server cannot have a path of it", async () => {
    // Slashes that are encoded once are slashes again before a deployed server's router looks at the path.
    const routed = (path: string) => decodeURIComponent(path.replace("/onyx-api/ingestion/", ""));
    const server = await startFaultServer(({ path }) => {
      const id = routed(path);
      if (id.includes("/")) return { status: 404, json: { detail: "404: Not Found" } };
      if (id === "https%3A%2F%2Fx.test%2Fa_b%28c%29") return { json: null };
      return { status: 404, json: { error_code: "DOCUMENT_NOT_FOUND", detail: "Document not found" } };
    });
    open.push(server);
    const profile = { ingestionPath: "/onyx-api/ingestion" };
    const deployment = createDeployment({ baseUrl: server.url, apiKey: "tl_TEST", profile });
    await deployment.deleteDocument("https://x.test/a b(c)");
    await deployment.deleteDocument("https%3A%2F%2Fx.test%2Fa_b%28c%29");
    expect(await failure(deployment.deleteDocument("https://x.test/other"))).toBeInstanceOf(NotFoundError);
    expect(await failure(deployment.deleteDocument("other"))).toBeInstanceOf(NotFoundError);
    expect(server.requests).toHaveLength(6);
    // One of them says nothing about the next.
    await deployment.deleteDocument("https%3A%2F%2Fx.test%2Fa_b%28c%29");
  });

  it("tells a server that deletes no documents from one that does not know the document", async () => {
    const { deployment } = await serving({});
    expect(await failure(deployment.deleteDocument("https://x.test/other"))).toBeInstanceOf(UnsupportedError);
    expect(await failure(deployment.deleteDocument("other"))).toBeInstanceOf(UnsupportedError);
  });

  it("lists documents of a pair beside the ingestion path of the profile", async () => {
    const document = { document_id: "a", semantic_id: "A", link: "" };
    const { deployment } = await serving({
      "GET /service-api/ingestion": { json: [document, { document_id: "b", semantic_id: "B", link: "" }] },
      "GET /service-api/connector-docs/5": { json: [document] },
    });
    expect(await deployment.documents()).toHaveLength(2);
    expect(await deployment.documents({ pairId: 5 })).toEqual([document]);
  });

  it("lists one document, or so many, also where the server sends all of them", async () => {
    const documents = ["a", "b", "a"].map((id) => ({ document_id: id, semantic_id: id, link: "" }));
    const server = await startFaultServer(() => ({ json: documents }));
    afterThisTest(() => server.close());
    const deployment = createDeployment({ baseUrl: server.url });
    expect(await deployment.documents({ documentId: "a" })).toHaveLength(2);
    expect(await deployment.documents({ most: 2 })).toEqual(documents.slice(0, 2));
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/service-api/ingestion?document_id=a",
      "/service-api/ingestion?most=2",
    ]);
  });
});

describe("feedback", () => {
  it("is sent with what was said, and nothing else", async () => {
    const { deployment, server } = await serving({ "POST /chat/create-chat-message-feedback": { json: null } });
    await deployment.giveFeedback({ messageId: 7, isPositive: false, text: "Too short" });
    await deployment.giveFeedback({ messageId: 7, isPositive: true });
    expect(server.requests.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      { chat_message_id: 7, is_positive: false, feedback_text: "Too short" },
      { chat_message_id: 7, is_positive: true },
    ]);
  });

  it("needs a thumb or a text", async () => {
    const { deployment, server } = await serving({});
    expect(await failure(deployment.giveFeedback({ messageId: 7 }))).toBeInstanceOf(InvalidRequestError);
    expect(server.requests).toHaveLength(0);
  });
});

describe("permissionsOf", () => {
  const all = { chat: true, ingest: true, swapCredential: true, validateTool: true, admin: true, anonymous: false };
  const none = {
    chat: false,
    ingest: false,
    swapCredential: false,
    validateTool: false,
    admin: false,
    anonymous: false,
  };

  it.each([
    ["admin in the list means everything", { effective_permissions: ["admin"] }, all],
    [
      "each permission counts for itself",
      { effective_permissions: ["write:chat", "manage:actions"] },
      { ...none, chat: true, validateTool: true },
    ],
    [
      "manage:connectors ingests and swaps",
      { effective_permissions: ["manage:connectors"] },
      { ...none, ingest: true, swapCredential: true },
    ],
    [
      "an editor ingests and does not swap",
      { role: "editor", effective_permissions: ["manage:connectors", "write:chat"] },
      { ...none, chat: true, ingest: true },
    ],
    ["the list counts, not the role", { role: "admin", effective_permissions: [] }, none],
    ["an older server's admin", { role: "admin" }, all],
    ["an older server's curator", { role: "curator" }, { ...all, admin: false }],
    ["an older server's basic user", { role: "basic" }, { ...none, chat: true }],
    ["a role nobody knows", { role: "wizard" }, none],
    ["a server that says nothing", {}, none],
    [
      "the anonymous user may chat",
      { is_anonymous_user: true, effective_permissions: [] },
      { ...none, chat: true, anonymous: true },
    ],
  ])("%s", (_case, me, expected) => {
    expect(permissionsOf({ id: "u", ...me })).toEqual(expected);
  });

  it("knows the anonymous user by its id", () => {
    expect(permissionsOf({ id: "__anonymous_user__" }).anonymous).toBe(true);
  });
});

const recorded = listExchanges();

describe("what front ends bundle", () => {
  it("reaches no administrator's operation: those stay in admin.ts", () => {
    const sources = new Map<string, string>();
    const visit = (file: string): void => {
      if (sources.has(file)) return;
      const source = readFileSync(join(import.meta.dirname, file), "utf8");
      sources.set(file, source);
      for (const [, imported = ""] of source.matchAll(/from "(\.{1,2}\/[\w./-]+\.ts)"/g)) {
        visit(join(dirname(file), imported));
      }
    };
    for (const entry of ["index.ts", "deployment.ts", "diagnose.ts"]) visit(entry);
    expect(sources.size).toBeGreaterThan(40);
    expect(sources.has("admin.ts")).toBe(false);
    const naming = [...sources].filter(([, source]) => /credential\/swap|custom\/validate/.test(source));
    expect(naming.map(([file]) => file)).toEqual([]);
  });
});

describe("recorded replies of a deployed server", () => {
  const calls: Record<string, (deployment: Deployment) => Promise<unknown>> = {
    "misc-health": (deployment) => deployment.health(),
    "misc-persona": (deployment) => deployment.personas(),
    "misc-document-set": (deployment) => deployment.documentSets(),
    "misc-credential": (deployment) => deployment.credentials(),
    "auth-admin-key-me": (deployment) => deployment.whoami(),
    "session-create": (deployment) => deployment.createSession(),
    "session-list": (deployment) => deployment.listSessions(),
    "session-get": (deployment) => deployment.getSession(SESSION),
    "session-get-stopped": (deployment) => deployment.getSession(SESSION),
    "session-get-running": (deployment) => deployment.getSession(SESSION),
    "session-delete": (deployment) => deployment.deleteSession(SESSION),
    "session-stop-idle": (deployment) => deployment.stop(SESSION),
    "feedback-up": (deployment) => deployment.giveFeedback({ messageId: 1, isPositive: true }),
    "ingest-delete": (deployment) => deployment.deleteDocument("leave"),
  };

  it.runIf(recorded.length > 0).each(Object.entries(calls))("%s is understood", async (name, call) => {
    const server = await startReplayServer(loadExchange(name));
    open.push(server);
    await call(createDeployment({ baseUrl: server.url, apiKey: "tl_TEST" }));
    expect(server.requests.length).toBe(1);
  });

  it.runIf(recorded.length > 0).each([
    ["session-stop-unknown", (deployment: Deployment) => deployment.stop(SESSION), NotFoundError],
    ["session-get-foreign", (deployment: Deployment) => deployment.getSession(SESSION), PermissionError],
    ["session-get-not-uuid", (deployment: Deployment) => deployment.getSession("abc"), InvalidRequestError],
    [
      "feedback-unknown",
      (deployment: Deployment) => deployment.giveFeedback({ messageId: 1, text: "x" }),
      InvalidRequestError,
    ],
    [
      "feedback-user-message",
      (deployment: Deployment) => deployment.giveFeedback({ messageId: 1, text: "x" }),
      InvalidRequestError,
    ],
    ["misc-connector-status-lite", (deployment: Deployment) => deployment.pairs(), UnsupportedError],
    ["misc-unknown-route", (deployment: Deployment) => deployment.tools(), UnsupportedError],
    ["auth-pat-persona", (deployment: Deployment) => deployment.personas(), PermissionError],
    ["ingest-delete-again", (deployment: Deployment) => deployment.deleteDocument("leave"), NotFoundError],
  ])("%s is the right error", async (name, call, kind) => {
    const server = await startReplayServer(loadExchange(name));
    open.push(server);
    const deployment = createDeployment({ baseUrl: server.url, apiKey: "tl_TEST" });
    expect(await failure(call(deployment))).toBeInstanceOf(kind);
  });

  it.runIf(recorded.length > 0)("the uploads give descriptors to send back", async () => {
    const project = loadExchange("file-upload-rejected");
    const server = await startReplayServer((_request, attempt) =>
      loadExchange(attempt === 0 ? "file-upload-no-file" : project.name),
    );
    open.push(server);
    const files = [{ name: "ok.txt", content: new Blob(["ok"]) }];
    const upload = await createDeployment({ baseUrl: server.url, apiKey: "tl_TEST" }).upload(files);
    expect(upload.rejected).toEqual([{ name: "empty.bin", reason: "Unsupported file type: .bin" }]);
    expect(upload.files[0]?.descriptor).toMatchObject({ type: "plain_text", name: "ok.txt" });
    expect(upload.files[0]?.descriptor.id).not.toBe(upload.files[0]?.descriptor.user_file_id);
  });

  it.runIf(recorded.length > 0)("resume replays the whole answer", async () => {
    const server = await startReplayServer(loadExchange("chat-stream-resume"), { cut: { seed: 7, most: 9 } });
    open.push(server);
    const packets: Packet[] = [];
    for await (const packet of createDeployment({ baseUrl: server.url, apiKey: "tl_TEST" }).resume(SESSION))
      packets.push(packet);
    expect(packets.some((packet) => JSON.stringify(packet).includes('"type":"stop"'))).toBe(true);
  });

  it.runIf(recorded.length > 0)("tells admin, ordinary and anonymous callers apart", async () => {
    const permissions = async (name: string) => {
      const server = await startReplayServer(loadExchange(name));
      open.push(server);
      return permissionsOf(await createDeployment({ baseUrl: server.url, apiKey: "tl_TEST" }).whoami());
    };
    expect(await permissions("auth-admin-key-me")).toMatchObject({ admin: true, ingest: true, anonymous: false });
    expect(await permissions("auth-nogroup-key-me")).toMatchObject({ chat: true, ingest: false, admin: false });
    expect(await permissions("auth-anonymous-wrong-key-me")).toMatchObject({ anonymous: true, admin: false });
  });
});
