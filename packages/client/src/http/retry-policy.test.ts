import { describe, expect, it, vi } from "vitest";
import {
  AuthError,
  InvalidRequestError,
  ProtocolError,
  RateLimitError,
  UnavailableError,
  type ClientError,
} from "../errors/errors.ts";
import { DEFAULT_RETRIES, longestWait, type FailedAttempt } from "./retry-policy.ts";
import { createTransport } from "./transport.ts";

const wait = (error: ClientError, more: Partial<FailedAttempt> = {}) =>
  longestWait(
    { error, waitMs: undefined, attempt: 0, elapsedMs: 10, leftMs: 600_000, repeatable: false, ...more },
    DEFAULT_RETRIES,
  );
const status = (code: number) => new UnavailableError("x", code !== 503, { status: code });
const unreachable = new UnavailableError("x", false);
const lost = new UnavailableError("x", true);

describe("retry policy", () => {
  it("doubles the pause from 0.5 s up to 8 s", () => {
    const limits = { ...DEFAULT_RETRIES, retries: 9, unreachableMs: 1e9 };
    const failed = { error: unreachable, waitMs: undefined, elapsedMs: 0, leftMs: 1e9, repeatable: false };
    const pauses = [0, 1, 2, 3, 4, 5, 6].map((attempt) => longestWait({ ...failed, attempt }, limits));
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it("spreads pauses over the whole range", async () => {
    const random = vi.spyOn(Math, "random");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      for (const [part, pauses] of [
        [0.002, [1, 2]],
        [0.5, [250, 500]],
        [0.999, [499, 999]],
      ] as const) {
        random.mockReturnValue(part);
        const at: number[] = [];
        const fetch = async () => {
          at.push(performance.now());
          return new Response(null, { status: 503 });
        };
        const { text } = createTransport({ baseUrl: "https://service.test/api", fetch });
        const sent = text({ method: "GET", path: "/me", repeatable: false }).catch(() => {});
        await vi.advanceTimersByTimeAsync(1_500);
        await sent;
        const [first = 0, second = 0, third = 0] = at;
        expect(at).toHaveLength(3);
        expect([Math.floor(second - first), Math.floor(third - second)]).toEqual(pauses);
      }
    } finally {
      vi.useRealTimers();
      random.mockRestore();
    }
  });

  it("ends after two repetitions", () => {
    expect(wait(unreachable, { attempt: 1 })).toBe(1000);
    expect(wait(unreachable, { attempt: 2 })).toBeUndefined();
  });

  it("repeats a lost call and a server error only where twice is as good as once", () => {
    for (const error of [lost, status(500), status(502), status(504)]) {
      expect(wait(error)).toBeUndefined();
      expect(wait(error, { repeatable: true })).toBe(500);
    }
    expect(wait(status(507), { repeatable: true })).toBeUndefined();
  });

  it("repeats any call the server refused before the work", () => {
    for (const code of [408, 425, 503]) expect(wait(status(code))).toBe(500);
    expect(wait(new RateLimitError("x", {}, { status: 429 }))).toBe(500);
  });

  it("sits out a wait of up to a minute that the server asks for, without jitter, and no longer one", () => {
    const limited = new RateLimitError("x", {}, { status: 429 });
    expect(wait(limited, { waitMs: 60_000 })).toBe(60_000);
    expect(wait(limited, { waitMs: 60_001 })).toBeUndefined();
    expect(wait(status(503), { waitMs: 61_000, repeatable: true })).toBeUndefined();
  });

  it("does not begin a wait that the call has no time for", () => {
    expect(wait(new RateLimitError("x", {}, { status: 429 }), { waitMs: 30_000, leftMs: 20_000 })).toBeUndefined();
  });

  it("gives up on an unreachable server within 20 s altogether", () => {
    expect(wait(unreachable, { elapsedMs: 10_100 })).toBe(500);
    expect(wait(unreachable, { elapsedMs: 19_600 })).toBeUndefined();
  });

  it("never repeats what would fail again", () => {
    for (const error of [new AuthError("x"), new InvalidRequestError("x"), new ProtocolError("x")]) {
      expect(wait(error, { repeatable: true })).toBeUndefined();
    }
  });
});
