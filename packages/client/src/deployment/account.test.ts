import { afterThisTest, startFaultServer, type Reply } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { accountOf, createDeployment, type Me } from "../deployment.ts";
import { NotFoundError, PermissionError } from "../errors/errors.ts";

/** A deployment over a server that answers each call with the same reply. */
async function answering(reply: Reply) {
  const server = await startFaultServer(() => reply);
  afterThisTest(() => server.close());
  const deployment = createDeployment({ baseUrl: server.url, apiKey: "tl_TEST", retries: { baseMs: 1 } });
  return { deployment, server };
}

describe("accountOf", () => {
  const memory = (personalization: Me["personalization"]) => accountOf({ id: "u", personalization }).memory;

  it("knows an account that stands for nobody in particular by its type alone", () => {
    expect(accountOf({ id: "u", account_type: "SERVICE_ACCOUNT" }).isService).toBe(true);
    expect(accountOf({ id: "u", account_type: "STANDARD" }).isService).toBe(false);
    expect(accountOf({ id: "u" }).isService).toBe(false);
  });

  it("calls memory on while anything of it is, off when what the server has of it is off", () => {
    expect(memory({ use_memories: true, enable_memory_tool: true, memories: [] })).toBe("on");
    expect(memory({ use_memories: true, enable_memory_tool: false })).toBe("on");
    expect(memory({ use_memories: false, enable_memory_tool: true })).toBe("on");
    expect(memory({ use_memories: false, enable_memory_tool: false })).toBe("off");
    // Servers had memories before they had the tool.
    expect(memory({ use_memories: false })).toBe("off");
  });

  it("does not guess where the server says nothing of memory", () => {
    expect(memory(undefined)).toBe("unknown");
    expect(memory(null)).toBe("unknown");
    expect(memory({ use_memories: null })).toBe("unknown");
  });

  it("reads what deployed servers say of a service account's key", async () => {
    const personalization = {
      name: "",
      role: "",
      use_memories: true,
      enable_memory_tool: true,
      memories: [{ id: 1, content: "User works part-time" }],
      user_preferences: "",
    };
    const { deployment } = await answering({
      json: { id: "568b91e7", account_type: "SERVICE_ACCOUNT", is_anonymous_user: null, personalization },
    });
    const me = await deployment.whoami();
    expect(accountOf(me)).toMatchObject({ anonymous: false, isService: true, memory: "on" });
    expect(me.personalization?.memories).toHaveLength(1);
  });
});

describe("memory", () => {
  it("is switched for the key's account, both what is read and what is written", async () => {
    const { deployment, server } = await answering({ json: null });
    await deployment.setMemory(false);
    await deployment.setMemory(true);
    expect(server.requests.map(({ method, path, text }) => [method, path, JSON.parse(text) as unknown])).toEqual([
      ["PATCH", "/user/personalization", { use_memories: false, enable_memory_tool: false }],
      ["PATCH", "/user/personalization", { use_memories: true, enable_memory_tool: true }],
    ]);
  });

  it("cannot be switched by a token that may not", async () => {
    const { deployment } = await answering({ status: 403, json: { detail: "Insufficient scope" } });
    await expect(deployment.setMemory(false)).rejects.toBeInstanceOf(PermissionError);
  });
});

describe("search", () => {
  it("gives passages as the server wrote them", async () => {
    const passage = {
      citation_id: 1,
      title: "Bicycles",
      content: "In the shed.",
      link: null,
      source_type: "ingestion_api",
      updated_at: "2026-08-01T10:00:00+00:00",
      score: 0.5,
    };
    const { deployment, server } = await answering({ json: { results: [passage] } });
    const query = { query: "bicycles", document_sets: ["Handbook"], skip_query_expansion: true };
    expect(await deployment.search(query)).toEqual([passage]);
    const [request] = server.requests;
    expect([request?.method, request?.path, JSON.parse(request?.text ?? "")]).toEqual(["POST", "/search", query]);
  });

  it("is asked again where nothing was lost but the answer", async () => {
    let calls = 0;
    const server = await startFaultServer(() => (++calls === 1 ? { status: 500 } : { json: { results: [] } }));
    afterThisTest(() => server.close());
    const deployment = createDeployment({ baseUrl: server.url, retries: { baseMs: 1 } });
    expect(await deployment.search({ query: "bicycles" })).toEqual([]);
  });

  it("of an unknown assistant is told from a server without search", async () => {
    const { deployment } = await answering({
      status: 404,
      json: { error_code: "PERSONA_NOT_FOUND", detail: "No such" },
    });
    await expect(deployment.search({ query: "x", persona_id: 9 })).rejects.toBeInstanceOf(NotFoundError);
    expect(deployment.supports("search")).toBe("unknown");
  });
});
