import { afterThisTest, startDeployedServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { createDeployment, keyChange, type Me } from "../deployment.ts";
import { AuthError, PermissionError, UnavailableError } from "../errors/errors.ts";

const me = (fields: Partial<Me> = {}): Me => ({ id: "u1", effective_permissions: ["write:chat"], ...fields });

describe("a key that is no longer what it was", () => {
  it("is one the server refuses", () => {
    const refused = keyChange(me(), new AuthError("x", { status: 403 }));
    expect(refused).toEqual({
      kind: "refused",
      words: "The server no longer accepts this key: it was revoked, or it has expired.",
    });
  });

  it("is one the server takes for nobody's, even when it never was anybody's", () => {
    const anonymous = me({ id: "__anonymous_user__", is_anonymous_user: true });
    for (const before of [me(), undefined]) {
      expect(keyChange(before, anonymous)).toMatchObject({
        kind: "anonymous",
        words: "The server does not know this key, and takes whoever sends it for somebody without one.",
      });
    }
    // Where no key is sent, that is how it was.
    expect(keyChange(anonymous, anonymous)).toBeUndefined();
  });

  it("is another account's, by name where it has one", () => {
    expect(keyChange(me({ email: "ada@x.test" }), me({ id: "u2", email: "bob@x.test" }))).toEqual({
      kind: "other_account",
      words: "This key belongs to another account than before: bob@x.test, not ada@x.test.",
    });
    expect(keyChange(me(), me({ id: "u2" }))?.words).toContain("u2, not u1");
  });

  it("is one that may do less than before", () => {
    const before = me({ effective_permissions: ["admin"] });
    expect(keyChange(before, me())).toEqual({
      kind: "permissions_lost",
      lost: ["ingest", "swapCredential", "validateTool", "admin"],
      words: "This key may no longer add documents, swap credentials, validate tools or administer the server.",
    });
    expect(keyChange(me(), me({ effective_permissions: [] }))?.words).toBe("This key may no longer ask questions.");
  });

  it("calls an account without an address by its id", () => {
    expect(keyChange(me({ email: "a@x.test" }), me({ id: "other", email: "" }))?.words).toBe(
      "This key belongs to another account than before: other, not a@x.test.",
    );
  });

  it.each([
    ["may do more", me({ effective_permissions: ["admin"] })],
    ["is the same", me({ email: "new@x.test" })],
    ["could not be asked about", new UnavailableError("x", false, { status: 500 })],
    ["may not ask whose it is, as tokens for chat alone", new PermissionError("x", { status: 403 })],
  ])("is none that %s", (_case, now) => {
    expect(keyChange(me(), now)).toBeUndefined();
    expect(keyChange(undefined, now)).toBeUndefined();
  });

  it.each([
    ["refused", false],
    ["anonymous", true],
  ] as const)("is found out on a deployed server, where a revoked key is %s", async (kind, allowAnonymous) => {
    const server = await startDeployedServer({ allowAnonymous });
    afterThisTest(() => server.close());
    const deployment = createDeployment({ baseUrl: server.url, apiKey: server.keys.service });
    const before = await deployment.whoami();
    expect(keyChange(undefined, before)).toBeUndefined();
    server.revoke(server.keys.service);
    const now = await deployment.whoami().catch((error: unknown) => error as Error);
    expect(keyChange(before, now)?.kind).toBe(kind);
  });
});
