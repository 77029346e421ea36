import { describe, expect, it } from "vitest";
import { cutBody } from "./cut-body.ts";
import { listExchanges, loadExchange } from "./exchanges.ts";
import { ownStream } from "../fixtures/own-streams.ts";
import { replayFetch, startReplayServer, type Replayable } from "./replay.ts";

const plain = ownStream("plain");
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const textOf = (exchange: Replayable) => new TextDecoder().decode(exchange.response.body);

describe("cutBody", () => {
  const body = new TextEncoder().encode("0123456789");
  const cutTexts = (...cut: Parameters<typeof cutBody>) =>
    cutBody(...cut).map((chunk) => Buffer.from(chunk.bytes).toString());

  it("cuts at the given offsets, byte by byte, or not at all", () => {
    expect(cutTexts(body, { at: [7, 0, 3, 99] })).toEqual(["012", "3456", "789"]);
    expect(cutTexts(body, "bytes")).toEqual([..."0123456789"]);
    expect(cutTexts(body, "whole")).toEqual(["0123456789"]);
    expect(cutTexts(new Uint8Array(), "whole")).toEqual([]);
  });

  it("cuts alike for the same seed and otherwise for another, never losing a byte", () => {
    const long = new Uint8Array(5000).map((_, at) => at % 251);
    const once = cutBody(long, { seed: 1 });
    expect(once).toEqual(cutBody(long, { seed: 1 }));
    expect(once).not.toEqual(cutBody(long, { seed: 2 }));
    expect(Buffer.concat(once.map((chunk) => chunk.bytes))).toEqual(Buffer.from(long));
  });

  it("keeps recorded pauses, sped up", () => {
    const timing = {
      headMs: 5,
      chunks: [
        { afterMs: 0, bytes: 4 },
        { afterMs: 100, bytes: 6 },
      ],
    };
    expect(cutBody(body, { timing: 10 }, timing).map((chunk) => chunk.afterMs)).toEqual([0, 10]);
  });
});

describe.each(["in process", "over a socket"])("a replay %s", (where) => {
  async function ask(exchange: Replayable, cut: Parameters<typeof cutBody>[1], init?: RequestInit): Promise<Response> {
    if (where === "in process") return replayFetch(exchange, { cut })("http://127.0.0.1/chat", init);
    const server = await startReplayServer(exchange, { cut });
    const response = await fetch(server.url, init);
    const body = new Uint8Array(await response.arrayBuffer());
    await server.close();
    return new Response(body, response);
  }

  it.each(["whole", "bytes", { seed: 3 }] as const)("gives status, headers and every byte, cut %j", async (cut) => {
    const response = await ask(plain, cut);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await bytesOf(response)).toEqual(plain.response.body);
  });

  it("gives failures as they were", async () => {
    const response = await ask(ownStream("429-budget"), "whole");
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7200");
  });

  const names = listExchanges();
  it.runIf(names.length > 0)("gives every recorded exchange byte by byte as recorded", async () => {
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) {
      const exchange = loadExchange(name);
      const response = await ask(exchange, { seed: 7, most: 400 }, { redirect: "manual" });
      expect(response.status, name).toBe(exchange.response.status);
      expect(await bytesOf(response), name).toEqual(exchange.response.body);
    }
  });
});

describe("replayFetch", () => {
  it("ends the body with the reason of the abort", async () => {
    const controller = new AbortController();
    const timing = {
      headMs: 0,
      chunks: [
        { afterMs: 0, bytes: 5 },
        { afterMs: 60_000, bytes: 5 },
      ],
    };
    const response = await replayFetch({ ...plain, timing }, { cut: { timing: 1 } })("http://x/", {
      signal: controller.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    const pending = reader?.read();
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
  });

  it("refuses a redirect where redirects are errors", async () => {
    const moved = { response: { status: 307, headers: { location: "http://y/" }, body: new Uint8Array() } };
    await expect(replayFetch(moved)("http://x/", { redirect: "error" })).rejects.toThrow(TypeError);
  });
});

describe("startReplayServer", () => {
  it("gives several exchanges in turn", async () => {
    const server = await startReplayServer([ownStream("429-budget"), plain]);
    expect((await fetch(server.url)).status).toBe(429);
    expect(await (await fetch(server.url)).text()).toBe(textOf(plain));
    await server.close();
  });

  it("answers 404 where the plan has nothing", async () => {
    const server = await startReplayServer((request) => (request.path === "/chat" ? plain : undefined));
    expect((await fetch(`${server.url}/other`)).status).toBe(404);
    expect((await fetch(`${server.url}/chat`)).status).toBe(200);
    await server.close();
  });
});
