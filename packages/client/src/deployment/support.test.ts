import { describe, expect, it } from "vitest";
import { NotFoundError, UnsupportedError } from "../errors/errors.ts";
import { SupportMemory } from "./support.ts";

/** An operation of a server that can be given it and lose it. */
function serving() {
  const state = { has: false, calls: 0, now: 0 };
  const memory = new SupportMemory(() => state.now);
  const call = async () => {
    state.calls++;
    if (!state.has) throw new UnsupportedError("There is no such route.", { status: 404, host: "x.test" });
    return "here";
  };
  return { state, memory, attempt: async () => memory.attempt("tools", call) };
}

describe("an operation a server does not have", () => {
  it("is asked for once in a minute, however many callers want it", async () => {
    const { state, attempt } = serving();
    for (let second = 0; second < 60; second += 6) {
      state.now = second * 1_000;
      await expect(attempt()).rejects.toMatchObject({ name: "UnsupportedError", status: 404, host: "x.test" });
    }
    expect(state.calls).toBe(1);
  });

  it("is found again when the server has it after all", async () => {
    const { state, memory, attempt } = serving();
    await expect(attempt()).rejects.toBeInstanceOf(UnsupportedError);
    expect(memory.of("tools")).toBe("no");
    state.has = true;
    state.now = 60_000;
    expect(memory.of("tools")).toBe("unknown");
    expect(await attempt()).toBe("here");
    expect(memory.of("tools")).toBe("yes");
  });

  it("is no longer called there once the server has lost it", async () => {
    const { state, memory, attempt } = serving();
    state.has = true;
    await attempt();
    state.has = false;
    await expect(attempt()).rejects.toBeInstanceOf(UnsupportedError);
    expect(memory.of("tools")).toBe("no");
    state.now = 61_000;
    expect(memory.of("tools")).toBe("unknown");
  });

  it("is not one that failed otherwise", async () => {
    const memory = new SupportMemory(() => 0);
    const missing = async () => Promise.reject(new NotFoundError("No such thing."));
    await expect(memory.attempt("pair", missing)).rejects.toBeInstanceOf(NotFoundError);
    expect(memory.of("pair")).toBe("unknown");
  });
});
