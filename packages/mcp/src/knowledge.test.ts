import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { knowledgeOf } from "./knowledge.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a server that stays silent is told of before clients give up a call by themselves", async () => {
  const silent: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
    });
  const { deployment } = knowledgeOf({ baseUrl: "http://127.0.0.1:8411/api", fetch: silent });
  const failed = vi.fn<(error: unknown) => void>();
  void deployment.search({ query: "gate" }).catch(failed);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(failed).toHaveBeenCalledWith(
    expect.objectContaining({ message: expect.stringContaining("silence") as string }),
  );
});
