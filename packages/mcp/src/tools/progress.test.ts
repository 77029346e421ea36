import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answering } from "../words/answering.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A call somebody wants to hear of, and what they are told. */
function call(progressToken?: string) {
  const told: unknown[] = [];
  const notify = ({ params }: { readonly params?: unknown }): Promise<void> => {
    told.push((params as { readonly message: string }).message);
    return Promise.resolve();
  };
  return { told, context: { mcpReq: { _meta: { progressToken }, notify } } as never };
}

const unforeseen = {
  report: (error: unknown): never => {
    throw error;
  },
  isShared: false,
};

const WORDS = { content: [{ type: "text" as const, text: "done" }] };

describe("a call that takes long", () => {
  it("is told of every ten seconds, so that nobody gives it up, and not once it is over", async () => {
    const { told, context } = call("a");
    const over = Promise.withResolvers<typeof WORDS>();
    const result = answering(unforeseen, context, () => over.promise);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(told).toEqual(["Waiting for the server (10 s)", "Waiting for the server (20 s)"]);
    over.resolve(WORDS);
    expect(await result).toBe(WORDS);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is told with what it was doing, ten seconds after the last news", async () => {
    const { told, context } = call("a");
    const over = Promise.withResolvers<typeof WORDS>();
    void answering(unforeseen, context, (tell) => {
      setTimeout(() => tell.answer({ status: "waiting", text: "", steps: [] }), 8_000);
      return over.promise;
    });
    await vi.advanceTimersByTimeAsync(19_000);
    expect(told).toEqual(["Asking", "Asking (18 s)"]);
  });

  it("is not told of where nobody asked to hear of it", async () => {
    const { told, context } = call();
    void answering(unforeseen, context, () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual([]);
  });
});
