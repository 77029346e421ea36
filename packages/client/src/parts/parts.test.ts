import { startFaultServer, type FaultServer } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createConversations } from "./conversations.ts";
import { InvalidRequestError, UnsupportedError } from "../errors/errors.ts";
import type { Packet } from "../models.ts";
import { createKeptAnswers } from "./kept.ts";
import { createResources } from "./resources.ts";

const open: FaultServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

describe("a part of the client", () => {
  it("that converses streams an answer and names its session, with the key", async () => {
    const placement = { turn_index: 0 };
    const lines = [
      { chat_session_id: "s" },
      { placement, obj: { type: "message_start" } },
      { placement, obj: { type: "message_delta", content: "Ten days." } },
      { placement, obj: { type: "stop" } },
    ];
    const server = await startFaultServer(({ method }) =>
      method === "POST"
        ? {
            headers: { "content-type": "text/event-stream" },
            body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
          }
        : { json: { new_name: "Travel" } },
    );
    open.push(server);
    const talk = createConversations({ baseUrl: server.url, apiKey: "tl_TEST" });
    const packets: Packet[] = [];
    for await (const packet of talk.streamMessage({ message: "How fast?" })) packets.push(packet);
    expect(packets).toMatchObject(lines);
    expect(await talk.renameSession("s", "Travel")).toBe("Travel");
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /chat/send-chat-message",
      "PUT /chat/rename-chat-session",
    ]);
    expect(server.requests.every(({ headers }) => headers["authorization"] === "Bearer tl_TEST")).toBe(true);
  });

  it("that lists remembers what a server does not have", async () => {
    const server = await startFaultServer(() => ({ status: 404, json: { detail: "404: Not Found" } }));
    open.push(server);
    const resources = createResources({ baseUrl: server.url, apiKey: "tl_TEST" });
    await expect(resources.tools()).rejects.toBeInstanceOf(UnsupportedError);
    await expect(resources.tools()).rejects.toBeInstanceOf(UnsupportedError);
    expect(server.requests).toHaveLength(1);
  });

  it("that knows kept answers asks which a newer document may change, and says where a server knows none", async () => {
    const found = {
      document_id: "kept",
      question: "How many?",
      owner: null,
      owner_ref: "T1:U1",
      link: null,
      says: "Three.",
      kept_says: "Two.",
      since: "2026-05-01T08:00:00.000Z",
      by: { document_id: "crews (pair 2)", title: "Crews", link: null },
    };
    let knowsKept = true;
    const server = await startFaultServer(() =>
      knowsKept ? { json: { kept_answers: [found] } } : { status: 404, json: { detail: "Not Found" } },
    );
    open.push(server);
    const kept = createKeptAnswers({ baseUrl: server.url, apiKey: "tl_TEST" });
    expect(await kept.maybeChanged({ since: "2026-05-01", most: 5 })).toEqual({ kept_answers: [found] });
    expect(await kept.maybeChanged()).toEqual({ kept_answers: [found] });
    knowsKept = false;
    await expect(kept.maybeChanged()).rejects.toBeInstanceOf(UnsupportedError);
    expect(server.requests.slice(0, 2).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /kept-answers/maybe-changed?since=2026-05-01&most=5",
      "GET /kept-answers/maybe-changed",
    ]);
  });

  it.each([createConversations, createResources, createKeptAnswers])(
    "sends no key readably over the network: %o",
    (create) => {
      expect(() => create({ baseUrl: "http://service.example.com", apiKey: "tl_TEST" })).toThrow(InvalidRequestError);
    },
  );
});
