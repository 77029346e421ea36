import {
  afterThisTest,
  startDeployedServer,
  startFaultServer,
  type FaultServer,
  type Script,
} from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createAdminClient } from "./admin.ts";
import { AuthError, InvalidRequestError, PermissionError, UnavailableError } from "./errors/errors.ts";

const servers: FaultServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(script: Script) {
  const server = await startFaultServer(script);
  servers.push(server);
  const admin = createAdminClient({ baseUrl: server.url, apiKey: "tl_TEST_admin", retries: { retries: 0 } });
  return { server, admin };
}

const swapped = { success: true, message: "Swapped", data: null };
const pairs = [
  { cc_pair_id: 9, connector: { id: 3, source: "web" }, credential: { id: 1 }, access_type: "private" },
  { cc_pair_id: 8, connector: { id: 4, source: "web" }, credential: { id: 2 }, access_type: "sync" },
];
const isSwap = (path: string) => path === "/manage/admin/credential/swap";
const bodies = (server: FaultServer) =>
  server.requests.filter(({ path }) => isSwap(path)).map(({ text }): unknown => JSON.parse(text));

describe("credential swap", () => {
  it("sends the access type it is given, without asking", async () => {
    const { server, admin } = await serve([{ json: swapped }]);
    const request = { new_credential_id: 2, connector_id: 3, access_type: "public" } as const;
    expect(await admin.swapCredential(request)).toEqual(swapped);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ method: "PUT", headers: { authorization: "Bearer tl_TEST_admin" } });
    expect(bodies(server)).toEqual([request]);
  });

  it("looks the access type up where the server lists its connectors", async () => {
    const { server, admin } = await serve(({ path }) => ({ json: isSwap(path) ? { ...swapped, data: 8 } : pairs }));
    expect(await admin.swapCredential({ new_credential_id: 2, connector_id: 4 })).toMatchObject({ data: 8 });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /manage/admin/connector/status",
      "PUT /manage/admin/credential/swap",
    ]);
    expect(bodies(server)).toEqual([{ new_credential_id: 2, connector_id: 4, access_type: "sync" }]);
  });

  it.each([
    ["has no list", { status: 404, json: { detail: "404: Not Found" } }],
    ["has no vector database", { status: 501, json: { detail: "Not here." } }],
    ["lets this key not read it", { status: 403, json: { error_code: "INSUFFICIENT_PERMISSIONS", detail: "No." } }],
    ["fails to list", { status: 500 }],
    ["lists something else", { json: { pairs: [] } }],
    ["does not list the connector", { json: pairs.slice(1) }],
    ["knows no access types", { json: [{ connector: { id: 3 } }] }],
  ])("sends the two specified fields where the server %s", async (_, list) => {
    const { server, admin } = await serve(({ path }) => (isSwap(path) ? { json: swapped } : list));
    expect(await admin.swapCredential({ new_credential_id: 2, connector_id: 3 })).toEqual(swapped);
    expect(bodies(server)).toEqual([{ new_credential_id: 2, connector_id: 3 }]);
  });

  it.each([
    ["does not tell the connector's", { json: [{ connector: { id: 3 } }] }],
    ["lets this key not read the list", { status: 403, json: { error_code: "INSUFFICIENT_PERMISSIONS", detail: "" } }],
  ])("says what to pass when the server still misses it: it %s", async (_case, list) => {
    const detail = [{ loc: ["body", "access_type"], msg: "Field required", type: "missing" }];
    const { admin } = await serve(({ path }) => (isSwap(path) ? { status: 422, json: { detail } } : list));
    const swap = admin.swapCredential({ new_credential_id: 2, connector_id: 3 });
    await expect(swap).rejects.toThrow('Pass access_type: "public", "private" or "sync"');
    await expect(swap).rejects.toMatchObject({ name: "InvalidRequestError", issues: detail, status: 422 });
  });

  it("tells a connector that the server does not have from one whose access it does not tell", async () => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    const admin = createAdminClient({ baseUrl: server.url, apiKey: server.keys.admin });
    const swap = admin.swapCredential({ new_credential_id: 1, connector_id: 999 });
    await expect(swap).rejects.toMatchObject({
      name: "InvalidRequestError",
      status: 422,
      issues: [{ loc: ["body", "connector_id"], type: "value_error" }],
    });
    await expect(swap).rejects.toThrow(/lists no connector 999\. Take a number from its list of connectors\.$/);
  });

  it("says that a server without connectors may have nothing to swap", async () => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    server.faults.ingestion = "missing";
    const admin = createAdminClient({ baseUrl: server.url, apiKey: server.keys.admin });
    const swap = admin.swapCredential({ new_credential_id: 1, connector_id: 2 });
    await expect(swap).rejects.toMatchObject({ name: "UnsupportedError" });
    await expect(swap).rejects.toThrow(/has no list of connectors, so that it may swap no credentials\./);
    await expect(swap).rejects.not.toThrow("Pass");
    // Whoever knows better can say so.
    const known = { new_credential_id: 1, connector_id: 2, access_type: "private" } as const;
    await expect(admin.swapCredential(known)).rejects.not.toThrow("list of connectors");
  });

  it("says plainly that a server has no swap", async () => {
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    server.faults.missing = ["/manage/admin/credential/swap"];
    const admin = createAdminClient({ baseUrl: server.url, apiKey: server.keys.admin });
    for (const access of [{}, { access_type: "private" as const }]) {
      const swap = admin.swapCredential({ new_credential_id: 1, connector_id: 2, ...access });
      await expect(swap).rejects.toMatchObject({ name: "UnsupportedError" });
      await expect(swap).rejects.not.toThrow("access_type");
    }
  });

  it("knows a route of another operation that takes the path for an id", async () => {
    const detail = [{ loc: ["path", "credential_id"], msg: "Input should be a valid integer", type: "int_parsing" }];
    const { admin } = await serve(({ path }) => (isSwap(path) ? { status: 422, json: { detail } } : { json: pairs }));
    const swap = admin.swapCredential({ new_credential_id: 2, connector_id: 3 });
    await expect(swap).rejects.toMatchObject({ name: "UnsupportedError", status: 422 });
  });

  it("does not go on with a key that is refused, or a server that is gone", async () => {
    const refusing = await serve([{ status: 401 }]);
    await expect(refusing.admin.swapCredential({ new_credential_id: 2, connector_id: 3 })).rejects.toThrow(AuthError);
    expect(refusing.server.attempts).toBe(1);
    const gone = await serve([{ resetAfterRequestBytes: 10 }]);
    await expect(gone.admin.swapCredential({ new_credential_id: 2, connector_id: 3 })).rejects.toThrow(
      UnavailableError,
    );
    expect(gone.server.attempts).toBe(1);
  });

  it("passes the server's reason on", async () => {
    const { admin } = await serve([{ status: 400, json: { message: "No credential of number 2" } }]);
    const swap = admin.swapCredential({ new_credential_id: 2, connector_id: 3, access_type: "private" });
    await expect(swap).rejects.toThrow("No credential of number 2.");
  });

  it("refuses what is no number before it is sent", async () => {
    const { server, admin } = await serve([{ json: swapped }]);
    await expect(admin.swapCredential({ new_credential_id: 1.5, connector_id: 3 })).rejects.toMatchObject({
      name: "InvalidRequestError",
      issues: [{ loc: ["body", "new_credential_id"] }],
    });
    expect(server.attempts).toBe(0);
  });
});

describe("tool validation", () => {
  it("sends the definition verbatim and gives the methods with their operations", async () => {
    const methods = [
      { name: "list", raw_name: "list", summary: "All", path: "/x", method: "get", spec: { operationId: "list" } },
    ];
    const { server, admin } = await serve([{ json: { methods } }]);
    const definition: Record<string, unknown> = JSON.parse(
      '{"openapi": "3.1.0", "__proto__": {"a": null}, "paths": {"/x": {"get": {"deep": [null, {"b": 1}]}}}}',
    );
    expect(await admin.validateTool({ definition })).toEqual({ methods });
    expect(server.requests[0]).toMatchObject({ method: "POST", path: "/admin/tool/custom/validate" });
    expect(server.requests[0]?.text).toBe(JSON.stringify({ definition }));
  });

  it("fails with the server's words, whichever status it chose", async () => {
    const reason = "`info` section is required in OpenAPI schema";
    for (const reply of [
      { status: 400, json: { detail: reason } },
      { status: 422, json: { detail: [{ loc: ["body", "definition", "info"], msg: reason, type: "value_error" }] } },
    ]) {
      const { admin } = await serve([reply]);
      const validation = admin.validateTool({ definition: {} });
      await expect(validation).rejects.toThrow(InvalidRequestError);
      await expect(validation).rejects.toThrow(reason);
    }
  });

  it("tells a missing permission", async () => {
    const { admin } = await serve([{ status: 403, json: { error_code: "INSUFFICIENT_PERMISSIONS", detail: "No." } }]);
    await expect(admin.validateTool({ definition: {} })).rejects.toThrow(PermissionError);
  });
});
