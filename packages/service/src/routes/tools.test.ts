import { startFaultServer } from "@threadlore/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { createService } from "../index.ts";

const KEY = "tl_TESTadmin";
const service = createService({ database: ":memory:", apiKey: KEY });
afterAll(() => service.close());

async function call(
  method: string,
  path: string,
  body?: BodyInit,
  extra: Record<string, string> = {},
): Promise<{ status: number; text: string; body: unknown }> {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json", ...extra };
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const reply = await service.fetch(new Request(`http://127.0.0.1${path}`, init));
  const text = await reply.text();
  return { status: reply.status, text, body: JSON.parse(text) };
}

const validate = (body: unknown) =>
  call("POST", "/admin/tool/custom/validate", typeof body === "string" ? body : JSON.stringify(body));

const tickets = {
  openapi: "3.0.0",
  info: { title: "Tickets", description: "The ticket desk" },
  servers: [{ url: "https://tickets.example.com" }],
  paths: {
    "/tickets/{id}": {
      get: {
        operationId: "get ticket",
        summary: "One ticket",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { default: { description: "error" }, 200: { description: "ok" } },
      },
    },
  },
};

describe("tool validation", () => {
  it("answers a valid definition with its methods", async () => {
    const { status, body } = await validate({ definition: tickets });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      methods: [
        {
          name: "get_ticket",
          summary: "One ticket",
          path: "/tickets/{id}",
          method: "get",
          spec: { operationId: "get ticket" },
        },
      ],
    });
  });

  it("keeps the written order of keys that look like numbers", async () => {
    const text = JSON.stringify({ definition: tickets }).replace(
      '"responses":{"200":{"description":"ok"},"default":{"description":"error"}}',
      '"responses":{"default":{"description":"error"},"200":{"description":"ok"}}',
    );
    const reply = await validate(text);
    expect(reply.text.indexOf('"default"')).toBeLessThan(reply.text.indexOf('"200"'));
  });

  it("answers a definition that breaks the rules with a 422 whose loc leads into it", async () => {
    const { paths: _left, ...withoutPaths } = tickets;
    const { status, body } = await validate({ definition: withoutPaths });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ["body", "definition", "paths"], type: "missing" }] });
  });

  it.each([
    ["no definition", {}, ["body", "definition"]],
    ["a definition that is text", { definition: "openapi: 3.0.0" }, ["body", "definition"]],
    ["a body that is no JSON", "{", ["body"]],
  ])("answers %s with a 422", async (_case, request, loc) => {
    const { status, body } = await validate(request);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc, msg: expect.any(String), type: expect.any(String) }] });
  });

  it.each([
    ["is empty", " ", {}],
    ["is not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), {}],
    ["nests deeper than 64 levels", `{"definition":${"[".repeat(64)}${"]".repeat(64)}}`, {}],
    ["is not the gzip it says it is", "{}", { "content-encoding": "gzip" }],
    ["is too large", `{"definition":"${"x".repeat(10_000_000)}"}`, {}],
  ])("refuses a body that %s as every operation does", async (_case, body, headers) => {
    const judged = await call("POST", "/admin/tool/custom/validate", body, headers);
    const elsewhere = await call("PUT", "/manage/admin/credential/swap", body, headers);
    expect(judged.status).toBeGreaterThanOrEqual(413);
    expect(judged.status).toBeLessThanOrEqual(422);
    expect(judged).toEqual(elsewhere);
  });
});

describe("a definition that names other places", () => {
  it("makes the service connect to none of them, neither to judge nor to keep it", async () => {
    const named = await startFaultServer([{ json: { get: { operationId: "stolen", summary: "s" } } }]);
    const definition = {
      ...tickets,
      servers: [{ url: named.url }],
      externalDocs: { url: named.url },
      paths: { ...tickets.paths, "/referred": { $ref: `${named.url}/path.json` } },
      components: { schemas: { A: { $ref: `${named.url}/schema.json` } } },
    };
    const judged = await validate({ definition });
    const kept = await call("POST", "/admin/tool/custom", JSON.stringify({ name: "far", definition }));
    expect([judged.status, kept.status]).toEqual([422, 422]);
    expect(judged.text).not.toContain("stolen");
    const withoutPath = { ...definition, paths: tickets.paths };
    expect((await validate({ definition: withoutPath })).status).toBe(200);
    expect(named.attempts).toBe(0);
    await named.close();
  });
});

describe("tools", () => {
  it("offers the built-in search, and a custom tool once it was added", async () => {
    const added = await call(
      "POST",
      "/admin/tool/custom",
      JSON.stringify({ name: "desk", description: null, definition: tickets }),
    );
    expect(added).toMatchObject({ status: 200, body: { name: "desk", description: "One ticket" } });
    const { body } = await call("GET", "/tool");
    expect(body).toMatchObject([
      { id: 1, in_code_tool_id: "SearchTool", definition: null },
      { name: "desk", in_code_tool_id: null, definition: { openapi: "3.0.0" } },
    ]);
  });

  it("refuses a second tool of the same name", async () => {
    const request = JSON.stringify({ name: "internal_search", definition: tickets });
    expect(await call("POST", "/admin/tool/custom", request)).toMatchObject({
      status: 409,
      body: { error_code: "TOOL_EXISTS" },
    });
  });

  it("keeps no tool whose definition is not valid", async () => {
    const request = JSON.stringify({ name: "broken", definition: { openapi: "3.0.0" } });
    expect((await call("POST", "/admin/tool/custom", request)).status).toBe(422);
    expect((await call("GET", "/tool")).text).not.toContain("broken");
  });

  it("asks for a name", async () => {
    const reply = await call("POST", "/admin/tool/custom", JSON.stringify({ name: " ", definition: tickets }));
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "name"] }] } });
  });
});
