import { describe, expect, it } from "vitest";
import { listExchanges, loadExchange } from "../servers/exchanges.ts";
import { afterThisTest } from "../tidying.ts";
import { startDeployedServer } from "./deployed-server.ts";
import { differences } from "./exchange-shape.ts";
import { prepare, send } from "./recorded-requests.ts";

/** What the double does not do, and what the exchange shows that nobody here depends on. */
const notCovered: Record<string, string> = {
  "chat-stream-deep-research": "deep research",
  "chat-stream-deep-research-clarify": "deep research",
  "chat-stream-four-models": "several models",
  "chat-stream-multi-model": "several models",
  "chat-stream-multi-model-bad-session": "several models",
  "chat-stream-multi-model-one-fails": "several models",
  "chat-stream-search-time-filter": "a time window the server reads out of the question",
  "chat-stream-tool-bad-args": "a model that calls tools wrongly",
  "chat-stream-tool-unknown": "a model that calls tools wrongly",
  "swap-external-unreachable": "the other system a credential is for",
};

describe("the double of a deployed server", () => {
  const names = listExchanges().filter((name) => notCovered[name] === undefined);

  it.runIf(names.length > 0)("leaves out what it says it leaves out", () => {
    expect(Object.keys(notCovered).filter((name) => !listExchanges().includes(name))).toEqual([]);
  });

  it.runIf(names.length > 0).each(names)("replies as the real one did: %s", async (name) => {
    const exchange = loadExchange(name);
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    const prepared = await prepare(server, exchange);
    const response = await send(server, exchange, prepared);
    const own = await response.text();
    const { status, headers, body } = exchange.response;

    expect({ own, status: response.status }).toMatchObject({ status });
    for (const header of ["content-type", "vary", "cache-control", "location"])
      expect(response.headers.get(header), header).toBe(headers[header] ?? null);
    expect(response.headers.has("retry-after")).toBe(headers["retry-after"] !== undefined);
    const recorded = Buffer.from(body).toString("utf8");
    expect(differences(own, recorded, headers["content-type"] ?? "")).toEqual([]);
  });
});
