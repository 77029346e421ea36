import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { addKey, createService, Database, listKeys, revokeKey, type Service } from "../index.ts";
import { type Route, route } from "./route.ts";

/**
 * Who may call what, said a second time: a role that changes has to be changed here as well. Behind it what is answered to
 * whoever has no key, where the service admits them and this route does not; 403 unless it is said.
 */
const TABLE = `
  anyone    GET     /health
  anyone    GET     /version
  anyone    GET     /auth/type
  anyone    POST    /pairing
  anyone    GET     /sign-in
  anyone    POST    /sign-in
  anyone    GET     /sign-in/device
  anyone    POST    /sign-in/device
  anyone    POST    /sign-in/device/answer
  anyone    POST    /sign-in/token
  anyone    GET     /sign-in/authorize
  anyone    POST    /sign-in/authorize/answer
  anyone    GET     /account
  anyone    POST    /account/sign-out
  anyone    POST    /account/keys/{id}/end
  anyone    POST    /account/password
  ordinary  GET     /me/keys
  ordinary  DELETE  /me/keys/{id}
  caller    POST    /chat/send-chat-message
  caller    POST    /chat/create-chat-session
  caller    GET     /chat/get-user-chat-sessions
  caller    GET     /chat/get-chat-session/{id}
  caller    GET     /chat/follow-ups
  caller    PUT     /chat/rename-chat-session
  caller    DELETE  /chat/delete-chat-session/{id}
  caller    POST    /chat/stop-chat-session/{id}
  ordinary  POST    /chat/create-chat-message-feedback
  ordinary  DELETE  /chat/remove-chat-message-feedback
  ordinary  POST    /user/file/upload
  ordinary  POST    /user/projects/file/upload
  editor    POST    /service-api/ingestion
  editor    GET     /service-api/ingestion
  editor    GET     /service-api/connector-docs/{pair}
  editor    DELETE  /service-api/ingestion/{document_id}
  editor    GET     /kept-answers
  editor    GET     /kept-answers/near
  editor    GET     /kept-answers/maybe-changed
  editor    POST    /kept-answers/confirmed
  editor    POST    /kept-answers/doubted
  admin     GET     /admin/origins
  admin     GET     /admin/audit
  caller    GET     /me
  caller    GET     /openapi.json
  caller    GET     /persona
  caller    GET     /persona/{id}
  caller    GET     /manage/document-set
  caller    GET     /query/valid-tags
  caller    POST    /search
  caller    GET     /document/text
  ordinary  POST    /mcp                                        401
  anyone    GET     /.well-known/oauth-protected-resource/mcp
  caller    GET     /tool
  editor    POST    /gaps/questions
  editor    POST    /gaps/{id}/same
  editor    POST    /gaps/questions/standings
  editor    DELETE  /gaps/questions/{ref}
  editor    DELETE  /gaps/askers/{asker}
  ordinary  POST    /gaps/asks
  ordinary  GET     /gaps/mine
  ordinary  POST    /gaps/mine/{id}/told
  ordinary  DELETE  /gaps/mine/{id}
  editor    GET     /gaps/asks
  editor    POST    /gaps/asks/{id}/taken
  editor    DELETE  /gaps/asks/{id}
  ordinary  POST    /document/keepers
  editor    POST    /good-answers
  editor    DELETE  /good-answers/{ref}
  editor    DELETE  /good-answers
  admin     GET     /good-answers
  admin     GET     /gaps
  admin     GET     /gaps/{id}
  editor    POST    /gaps/{id}/close
  editor    POST    /gaps/{id}/reopen
  admin     POST    /gaps/{id}/dismiss
  admin     POST    /admin/tool/custom
  admin     POST    /admin/tool/custom/validate
  admin     PUT     /manage/admin/credential/swap
  admin     GET     /manage/admin/credential
  editor    GET     /manage/admin/connector/status
  editor    GET     /manage/admin/cc-pair/{id}`;

const ROUTES = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [role = "", method = "", path = "", keyless = "403"] = line.trim().split(/ +/);
    return { role, method, path, keyless: Number(keyless) };
  });

const KEYS = { "a wrong": "tl_TESTnobody", "a revoked": "tl_TESTrevoked" } as const;
const ROLES = ["ordinary", "editor", "admin"] as const;
const keyOf = (role: string): string => `tl_TEST${role}`;
const CALLERS: readonly { name: string; key?: string; rank: (isOpen: boolean) => number }[] = [
  { name: "no key", rank: (isOpen) => (isOpen ? 0 : -1) },
  ...Object.entries(KEYS).map(([name, key]) => ({ name: `${name} key`, key, rank: () => -1 })),
  ...ROLES.map((role, rank) => ({ name: `a key of the role ${role}`, key: keyOf(role), rank: () => rank + 1 })),
];
const NEEDED: Readonly<Record<string, number>> = { caller: 0, ordinary: 1, editor: 2, admin: 3 };

/** A service with a key of each role, whose clock goes on a minute with every look at it: no wrong key is one too many. */
function startService(anonymous: boolean): Service {
  const database = new Database(":memory:");
  for (const role of ROLES) database.transact(addKey(keyOf(role), { name: role, role }, 0));
  database.transact(addKey(KEYS["a revoked"], { name: "gone", role: "admin" }, 0));
  const gone = database.perform(listKeys()).find(({ name }) => name === "gone");
  if (gone !== undefined) database.transact(revokeKey(gone.id, 0));
  let moment = Date.parse("2026-01-05T09:00:00Z");
  return createService({ database, settings: { anonymous }, now: () => (moment += 60_000) });
}

function requestTo({ method, path }: { method: string; path: string }, key: string | undefined): Request {
  const headers = new Headers(key === undefined ? {} : { authorization: `Bearer ${key}` });
  const address = `http://127.0.0.1${path.replace(/\{\w+\}/, randomUUID())}`;
  if (path.endsWith("/file/upload")) return new Request(address, { method, headers, body: new FormData() });
  if (path === "/pairing") headers.set("origin", `chrome-extension://${"a".repeat(32)}`);
  if (method === "GET" || method === "DELETE") return new Request(address, { method, headers });
  if (/^\/(?:sign-in|account)/.test(path)) {
    if (!["/sign-in/device", "/sign-in/token"].includes(path)) headers.set("origin", "http://127.0.0.1");
    return new Request(address, { method, headers, body: new URLSearchParams() });
  }
  headers.set("content-type", "application/json");
  const body = path === "/pairing" ? { code: "WRNG-CODE" } : {};
  return new Request(address, { method, headers, body: JSON.stringify(body) });
}

/** `in`: the route itself answered, whatever it said; else with what status the door did. */
async function outcome(service: Service, request: Request): Promise<"in" | 401 | 403 | string> {
  const reply = await service.fetch(request);
  const said = await reply.text();
  if (reply.status === 401) return 401;
  if (reply.status === 403 && said.includes("INSUFFICIENT_PERMISSIONS")) return 403;
  // Pairing refuses a wrong code in its own words.
  const isOwn = said.includes("PAIRING_CODE_INVALID") || ![403, 405, 415, 429].includes(reply.status);
  return isOwn ? "in" : `${reply.status} ${said}`;
}

const Described = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ description: z.optional(z.string()), security: z.optional(z.array(z.unknown())) })),
  ),
});

describe.each([false, true])("who may call what, with callers without a key admitted: %s", (isOpen) => {
  let service: Service;
  beforeAll(() => {
    service = startService(isOpen);
  });
  afterAll(() => service.close());

  it("is said by the description as by the table here, for every route", async () => {
    const headers = { authorization: `Bearer ${keyOf("ordinary")}` };
    const reply = await service.fetch(new Request("http://127.0.0.1/openapi.json", { headers }));
    const { paths } = Described.parse(await reply.json());
    const told = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { description = "", security }]) => {
        const role = security === undefined ? (/role (\w+)/.exec(description)?.[1] ?? "caller") : "anyone";
        return `${role} ${method.toUpperCase()} ${path}`;
      }),
    );
    expect(told.toSorted()).toEqual(ROUTES.map(({ role, method, path }) => `${role} ${method} ${path}`).toSorted());
  });

  it.each(ROUTES)("$method $path: $role", async ({ role, method, path, keyless }) => {
    for (const { name, key, rank } of CALLERS) {
      const may = role === "anyone" || rank(isOpen) >= (NEEDED[role] ?? Number.POSITIVE_INFINITY);
      const refused = rank(isOpen) === -1 ? 401 : key === undefined ? keyless : 403;
      const expected = may ? "in" : refused;
      expect([name, await outcome(service, requestTo({ method, path }, key))]).toEqual([name, expected]);
    }
  });

  it("is not told of paths that are not there to whoever has no key", async () => {
    const unknown = { method: "GET", path: "/not/there" };
    expect(await outcome(service, requestTo(unknown, undefined))).toBe(isOpen ? "in" : 401);
    expect(await outcome(service, requestTo(unknown, KEYS["a wrong"]))).toBe(401);
  });
});

describe("a route", () => {
  it("without a role does not compile", () => {
    // @ts-expect-error -- the role is missing
    const made: Route = route("GET /open", undefined, "Open to all", { handle: () => null });
    expect(made.role).toBeUndefined();
  });

  it("that reads what it does not name does not compile", () => {
    const line = "GET /a/{id}";
    const query = ["limit"] as const;
    // @ts-expect-error -- the query has another name
    route(line, "admin", "", { query, handle: (call) => call.query("size") });
    // @ts-expect-error -- so has the part of the path
    route(line, "admin", "", { query, handle: (call) => call.param("pair") });
    const made = route(line, "admin", "", { query, handle: (call) => [call.query("limit"), call.param("id")] });
    expect(made.role).toBe("admin");
  });
});
