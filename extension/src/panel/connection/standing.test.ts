import { freshBrowser } from "../../testing/fake-browser.ts";
import { AuthError, PermissionError, UnavailableError } from "@threadlore/client";
import { keyChange, type Me } from "@threadlore/client/deployment";
import { beforeEach, describe, expect, it } from "vitest";
import { watchKey } from "./standing.ts";

const ADA: Me = { id: "1", email: "ada@example.com", role: "basic" };

/** Everything a service may say of a key. */
const REPLIES: readonly (readonly [string, Me | Error])[] = [
  ["a person", ADA],
  ["a service account", { ...ADA, account_type: "SERVICE_ACCOUNT" }],
  ["somebody without rights", { ...ADA, effective_permissions: [] }],
  ["a visitor, flagged as one", { id: "2", is_anonymous_user: true }],
  ["a visitor, by the id of all of them", { id: "__anonymous_user__" }],
  ["nobody: the key is unknown", new AuthError("It does not know the key.", { status: 401 })],
  ["nobody: the key is unknown, said with 403", new AuthError("It does not know the key.", { status: 403 })],
  ["that the key may not ask who it is", new PermissionError("It may not.", { status: 403 })],
  ["nothing, as it is away", new UnavailableError("Nobody answers.", false)],
  ["nothing, as it fails", new UnavailableError("It failed.", false, { status: 500 })],
];

describe("a key is taken for gone by the client's one reading of it, where the service says it is", () => {
  beforeEach(freshBrowser);

  it.each(REPLIES)("%s", async (_, reply) => {
    const whoami = () => (reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply));
    const watch = watchKey({ whoami, setMemory: () => Promise.resolve() }, "https://knowledge.example.com");
    const { failure } = await watch.look(0);
    expect(failure?.code === "auth").toBe(keyChange(undefined, reply) !== undefined);
  });
});

describe("a key that is looked at by several parts of the panel at once", () => {
  beforeEach(freshBrowser);

  it("is sent once, also where it is not known, and by every question anew", async () => {
    let calls = 0;
    const whoami = () => {
      calls += 1;
      return Promise.reject(new AuthError("It does not know the key.", { status: 401 }));
    };
    const watch = watchKey({ whoami, setMemory: () => Promise.resolve() }, "https://knowledge.example.com");
    await Promise.all([watch.look(30_000), watch.look(60_000), watch.look(15_000)]);
    await watch.look(60_000);
    expect(calls).toBe(1);
    const { signal } = new AbortController();
    expect((await watch.look(5_000, signal)).failure?.code).toBe("auth");
    expect((await watch.look(0, signal)).failure?.code).toBe("auth");
    expect(calls).toBe(3);
  });
});

describe("that the person goes on with the memory on", () => {
  beforeEach(freshBrowser);

  it("is remembered for their account, also where nobody has asked yet whose the key is", async () => {
    const memory = { use_memories: true, enable_memory_tool: true };
    const whoami = () => Promise.resolve({ ...ADA, personalization: memory });
    const watch = () => watchKey({ whoami, setMemory: () => Promise.resolve() }, "https://knowledge.example.com");
    await watch().agree();
    expect(await watch().look(0)).toMatchObject({ memory: "agreed" });
  });
});
