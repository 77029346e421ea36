import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { chooseModel, findModelServers } from "./model-servers.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe("findModelServers", () => {
  it("finds a server by its list of models, and passes over everything else that listens", async () => {
    const asked: string[] = [];
    const model = await serve((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end(JSON.stringify({ data: [{ id: "nomic-embed-text" }, { id: "qwen3:8b" }] }));
    });
    const website = await serve((_request, response) => response.end("<html>"));
    const other = await serve((_request, response) => response.end('{"data":{}}'));
    const silent = await serve(() => {});
    const places = [website, other, silent, model].map((baseUrl) => ({ product: "Some server", baseUrl }));
    const found = await findModelServers([...places, { product: "Nobody", baseUrl: "http://127.0.0.1:9/v1" }]);
    expect(found).toEqual([{ product: "Some server", baseUrl: model, models: ["nomic-embed-text", "qwen3:8b"] }]);
    expect(asked).toEqual(["GET /v1/models"]);
  });
});

describe("chooseModel", () => {
  const found = [
    { product: "A", baseUrl: "http://a/v1", models: [] },
    { product: "B", baseUrl: "http://b/v1", models: ["nomic-embed-text", "qwen3:8b", "gemma"] },
  ];

  it("takes the first model that can write, or the one that was named", () => {
    expect(chooseModel(found, true)).toEqual({ baseUrl: "http://b/v1", name: "qwen3:8b" });
    expect(chooseModel(found, "gemma")).toEqual({ baseUrl: "http://b/v1", name: "gemma" });
  });

  it("takes none where there is none such", () => {
    expect(chooseModel(found, "other")).toBeUndefined();
    expect(chooseModel([], true)).toBeUndefined();
  });
});
