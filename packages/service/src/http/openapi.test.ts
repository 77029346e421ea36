import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createService } from "../index.ts";

const service = createService({ database: ":memory:", apiKey: "tl_TESTadmin" });
afterAll(() => service.close());

const Description = z.looseObject({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.optional(z.string()) }))),
  components: z.looseObject({
    schemas: z.record(z.string(), z.looseObject({ required: z.optional(z.array(z.string())) })),
  }),
});

async function describedService(): Promise<z.infer<typeof Description>> {
  const headers = { authorization: "Bearer tl_TESTadmin" };
  const reply = await service.fetch(new Request("http://127.0.0.1/openapi.json", { headers }));
  return Description.parse(await reply.json());
}

describe("GET /openapi.json", () => {
  it("describes nothing the service does not answer", async () => {
    const { paths } = await describedService();
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "1")] as const),
    );
    expect(described.length).toBeGreaterThan(30);
    for (const [method, path] of described) {
      const headers = { authorization: "Bearer tl_TESTadmin" };
      const reply = await service.fetch(new Request(`http://127.0.0.1${path}`, { method, headers }));
      expect([method, path, await reply.text()]).not.toContain('{"detail":"404: Not Found"}');
      expect([method, path, reply.status]).not.toContain(405);
    }
  });

  it("says that no key is needed where none is, and nowhere else", async () => {
    const { paths } = await describedService();
    const open: string[] = [];
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (JSON.stringify(operation["security"]) === "[]") open.push(`${method} ${path}`);
        if (method !== "get" || path.includes("{")) continue;
        const { status } = await service.fetch(new Request(`http://127.0.0.1${path}`));
        // Pages lead whoever is not signed in to where that is done, or say what they were not told.
        expect([path, [200, 303, 400].includes(status)]).toEqual([path, open.includes(`get ${path}`)]);
      }
    }
    expect(open.toSorted()).toEqual([
      "get /.well-known/oauth-protected-resource/mcp",
      "get /account",
      "get /auth/type",
      "get /health",
      "get /sign-in",
      "get /sign-in/authorize",
      "get /sign-in/device",
      "get /version",
      "post /account/keys/{id}/end",
      "post /account/password",
      "post /account/sign-out",
      "post /pairing",
      "post /sign-in",
      "post /sign-in/authorize/answer",
      "post /sign-in/device",
      "post /sign-in/device/answer",
      "post /sign-in/token",
    ]);
  });

  it("says nothing twice under one name, and refers only to models it holds", async () => {
    const description = await describedService();
    const ids = Object.values(description.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const referred = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
    const held = new Set(Object.keys(description.components.schemas).map((name) => `#/components/schemas/${name}`));
    expect(referred.filter((target) => !held.has(target ?? ""))).toEqual([]);
  });

  it("requires of a chat request what the specification requires, and no more", async () => {
    const { schemas } = (await describedService()).components;
    expect(schemas["SendMessageRequest"]?.required).toEqual(["message"]);
    expect(schemas["CredentialSwapRequest"]?.required?.toSorted()).toEqual(["connector_id", "new_credential_id"]);
  });
});
