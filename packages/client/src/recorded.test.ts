import { listExchanges, loadExchange, replayFetch, startReplayServer, type Exchange } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createAdminClient } from "./admin.ts";
import { createClient } from "./client.ts";
import { ClientError, WrongBaseUrlError } from "./errors/errors.ts";
import { createTransport } from "./http/transport.ts";
import {
  ChatFullResponse,
  CredentialSwapResponse,
  IngestionResponse,
  PlacedPacket,
  ToolValidationResponse,
  type Packet,
} from "./models.ts";
import { DEPLOYED_PROFILE } from "./profile.ts";
import { parseWireJson } from "./http/wire-json.ts";

const names = listExchanges();
const chat = "/chat/send-chat-message";

const connection = (exchange: Exchange, cut: Parameters<typeof replayFetch>[1] = {}) => ({
  baseUrl: "https://service.test/api",
  apiKey: "tl_TEST",
  fetch: replayFetch(exchange, cut),
  retries: { baseMs: 1 },
});

interface Read {
  packets: Packet[];
  error: unknown;
}

async function readStream(exchange: Exchange, cut: Parameters<typeof replayFetch>[1] = {}): Promise<Read> {
  const client = createClient({ ...connection(exchange, cut), profile: DEPLOYED_PROFILE });
  const packets: Packet[] = [];
  try {
    for await (const packet of client.streamMessage({ message: "hi" })) packets.push(packet);
    return { packets, error: undefined };
  } catch (error) {
    return { packets, error };
  }
}

const linesOf = (exchange: Exchange) =>
  new TextDecoder()
    .decode(exchange.response.body)
    .split("\n")
    .filter((line) => line.trim() !== "");
const typesOf = (packets: readonly Packet[]) =>
  packets.flatMap((packet) => PlacedPacket.safeParse(packet).data?.obj.type ?? []);

/** The words of the recordings' vocabulary that can be told from the packets alone. */
function phenomenaOf(exchange: Exchange, packets: readonly Packet[]): string[] {
  const types = typesOf(packets);
  const count = (type: string) => types.filter((candidate) => candidate === type).length;
  const errorAt = packets.findIndex((packet) => "error" in packet);
  const seen = {
    "session-line": "chat_session_id" in (packets[0] ?? {}),
    "no-session-line": !("chat_session_id" in (packets[0] ?? {})),
    "error-line": errorAt >= 0,
    "bare-error": errorAt >= 0 && Object.keys(packets[errorAt] ?? {}).length === 1,
    "error-after-deltas": typesOf(packets.slice(0, Math.max(0, errorAt))).includes("message_delta"),
    "no-stop": count("stop") === 0,
    "several-stops": count("stop") > 1,
    "multi-model": packets.some((packet) => "responses" in packet),
    "user-cancelled": JSON.stringify(packets.at(-1)).includes("user_cancelled"),
    "wrapped-error-packet": count("error") > 0,
    "several-message-starts": count("message_start") > 1,
    "no-final-newline": exchange.response.body.at(-1) !== 0x0a,
  };
  return [...Object.keys(seen).filter((name) => Reflect.get(seen, name)), ...types.map((type) => `packet:${type}`)];
}

const SHOWN_BY_PACKETS =
  /^(session-line|no-session-line|error-line|bare-error|error-after-deltas|no-stop|several-stops|multi-model|user-cancelled|wrapped-error-packet|several-message-starts|no-final-newline|packet:.*)$/;
const CLAIMED_WHEREVER_SEEN =
  /^(session-line|error-line|bare-error|no-stop|several-stops|multi-model|user-cancelled|no-final-newline)$/;

const exchanges = names.map((name) => loadExchange(name));
const isStream = ({ request, response }: Exchange) =>
  response.status === 200 &&
  (response.headers["content-type"] ?? "").startsWith("text/event-stream") &&
  request.method !== "";
const streams = exchanges.filter(isStream);
const wholes = exchanges.filter(
  (exchange) => exchange.response.status === 200 && exchange.request.path.endsWith(chat) && !isStream(exchange),
);
const refusals = exchanges.filter(({ response }) => response.status !== 200);
const rest = exchanges.filter(
  (exchange) => exchange.response.status === 200 && !streams.includes(exchange) && !wholes.includes(exchange),
);

const cases = (list: readonly Exchange[]) => list.map((exchange) => [exchange.name, exchange] as const);

describe("recorded streams", () => {
  it.runIf(names.length > 0)("are many, and each kind of exchange is one of four", () => {
    expect(streams.length).toBeGreaterThan(50);
    expect(streams.length + wholes.length + refusals.length + rest.length).toBe(exchanges.length);
  });

  it.each(cases(streams))("%s decodes to what its note says", async (_, exchange) => {
    const { packets, error } = await readStream(exchange);
    expect(error).toBeUndefined();
    expect(packets).toEqual(linesOf(exchange).map((line) => parseWireJson(line)));
    const seen = phenomenaOf(exchange, packets);
    const claimed = exchange.phenomena.filter((phenomenon) => SHOWN_BY_PACKETS.test(phenomenon));
    expect(seen).toEqual(expect.arrayContaining(claimed));
    expect(seen.filter((phenomenon) => CLAIMED_WHEREVER_SEEN.test(phenomenon)).toSorted()).toEqual(
      claimed.filter((phenomenon) => CLAIMED_WHEREVER_SEEN.test(phenomenon)).toSorted(),
    );
  });

  it.each(cases(streams))("%s decodes alike in random pieces", async (_, exchange) => {
    const whole = await readStream(exchange);
    for (const seed of [1, 2, 3]) expect(await readStream(exchange, { cut: { seed, most: 40 * seed } })).toEqual(whole);
  });

  it.each(cases(streams.filter(({ timing }) => timing !== undefined)))(
    "%s decodes alike over a socket at its own pace",
    async (_, exchange) => {
      const server = await startReplayServer(exchange, { cut: { timing: 40 } });
      const client = createClient({ baseUrl: server.url, apiKey: "tl_TEST" });
      const packets: Packet[] = [];
      for await (const packet of client.streamMessage({ message: "hi" })) packets.push(packet);
      await server.close();
      expect(packets).toEqual((await readStream(exchange)).packets);
    },
  );

  it.each(
    [
      "chat-stream-new-session",
      "chat-stream-search-citations-mixed",
      "chat-stream-tool-nan",
      "chat-stream-llm-midfail",
      "chat-stream-multi-model",
      "chat-stream-unicode",
    ].filter((name) => names.includes(name)),
  )("%s cut at every byte: the text is a beginning, the outcome partial, nothing hangs", async (name) => {
    const exchange = loadExchange(name);
    const { body } = exchange.response;
    const whole = await readStream(exchange);
    const errorAt = Buffer.from(body).lastIndexOf('\n{"error"');
    const stopAt = Buffer.from(body).lastIndexOf('"stop"');
    const end = Math.max(errorAt, stopAt);
    const step = Math.max(1, Math.floor(body.length / 1000));
    for (let at = 0; at < end; at += step) {
      const cut = { ...exchange, response: { ...exchange.response, body: body.subarray(0, at) } };
      const { packets, error } = await readStream(cut);
      expect(packets).toEqual(whole.packets.slice(0, packets.length));
      expect(error).toMatchObject({ outcome: "partial" });
    }
  });
});

describe("recorded complete responses", () => {
  it.runIf(names.length > 0)("are among the exchanges", () => {
    expect(wholes.length).toBeGreaterThan(10);
  });

  it.each(cases(wholes.filter(({ phenomena }) => !phenomena.includes("error-msg"))))("%s", async (_, exchange) => {
    const client = createClient(connection(exchange, { cut: { seed: 5 } }));
    const sent = client.sendMessage({ message: "hi" });
    const body = parseWireJson(new TextDecoder().decode(exchange.response.body));
    expect(await sent).toEqual(body);
  });

  it.each(cases(wholes.filter(({ phenomena }) => phenomena.includes("error-msg"))))(
    "%s is a failure that keeps what was answered",
    async (_, exchange) => {
      const body = ChatFullResponse.parse(parseWireJson(new TextDecoder().decode(exchange.response.body)));
      const sent = createClient(connection(exchange)).sendMessage({ message: "hi" });
      await expect(sent).rejects.toMatchObject({ name: "AnswerFailedError", partialAnswer: body.answer });
    },
  );
});

function typed(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  throw new Error("The call did not fail with a typed error", { cause: error });
}

describe("recorded refusals", () => {
  const outcomes = (exchange: Exchange): string[] => {
    const { status } = exchange.response;
    if (exchange.phenomena.includes("html-body")) return status >= 500 ? ["unavailable"] : ["protocol", "invalid"];
    if (status < 400 || exchange.name === "html-dev-only-json-404") return ["protocol"];
    if (status === 401 || status === 403) return ["auth"];
    if (status === 429) return ["rate_limited"];
    return status >= 500 && status !== 501 ? ["unavailable"] : ["invalid"];
  };

  it.each(cases(refusals))("%s is a typed error that shows no input, path, query or trace", async (_, exchange) => {
    const transport = createTransport(connection(exchange));
    const { method, path } = exchange.request;
    const call = {
      method: method === "PUT" || method === "DELETE" || method === "GET" ? method : "POST",
      path,
      repeatable: false,
    } as const;
    const error: unknown = await transport.text(call).catch((reason: unknown) => reason);
    const { outcome, message } = typed(error);
    expect(outcomes(exchange)).toContain(outcome);
    expect(`${message} ${JSON.stringify(error)}`).not.toMatch(
      /\/app\/|\.py|Traceback|SELECT|psycopg|'input'|'loc'|tl_TEST/,
    );
    expect(message.length).toBeLessThan(2200);
  });

  it.each(cases(refusals.filter(({ response }) => response.status === 422)))(
    "%s says where and why",
    async (_, exchange) => {
      const error: unknown = await createTransport(connection(exchange))
        .text({ method: "POST", path: chat, repeatable: false })
        .catch((reason: unknown) => reason);
      const printed = new TextDecoder().decode(exchange.response.body);
      const count = Number(/(\d+) validation error/.exec(printed)?.[1]);
      const issues = error instanceof Error && "issues" in error && Array.isArray(error.issues) ? error.issues : [];
      expect(issues).toHaveLength(count);
      for (const issue of issues)
        expect(issue).toEqual({
          loc: expect.any(Array),
          msg: expect.any(String),
          type: expect.stringMatching(/^[a-z_.]+$/),
        });
      expect(issues[0]?.loc.length).toBeGreaterThan(0);
    },
  );

  it.runIf(names.length > 0)("a missing or wrong key is told from a missing permission", async () => {
    const nameOf = async (name: string) => {
      const error: unknown = await createTransport(connection(loadExchange(name)))
        .text({ method: "GET", path: "/x", repeatable: false })
        .catch((reason: unknown) => reason);
      return error instanceof Error ? error.name : error;
    };
    for (const name of ["auth-none-chat", "auth-wrong-me", "auth-lower-bearer", "auth-none-ingest"])
      expect(await nameOf(name)).toBe("AuthError");
    for (const name of ["auth-basic-key-swap", "auth-pat-ingest", "session-get-foreign"])
      expect(await nameOf(name)).toBe("PermissionError");
  });
});

describe("recorded answers of the other operations", () => {
  const pages = rest.filter(({ phenomena }) => phenomena.includes("html-body"));
  const schemaOf = ({ request: { method, path } }: Exchange) => {
    if (path.endsWith("/custom/validate")) return ToolValidationResponse;
    if (method === "PUT" && path.endsWith("/credential/swap")) return CredentialSwapResponse;
    return method === "POST" && path.endsWith("/ingestion") ? IngestionResponse : z.unknown();
  };

  it.each(cases(rest.filter((exchange) => !pages.includes(exchange))))(
    "%s has the shape of its model",
    async (_, exchange) => {
      const call = { method: "POST", path: "/x", repeatable: false } as const;
      const value = await createTransport(connection(exchange)).json(call, schemaOf(exchange));
      expect(value).toEqual(parseWireJson(new TextDecoder().decode(exchange.response.body)));
    },
  );

  it.each(cases(pages))("%s is a wrong base URL", async (_, exchange) => {
    const call = { method: "GET", path: "/x", repeatable: false } as const;
    await expect(createTransport(connection(exchange)).json(call, z.unknown())).rejects.toThrow(WrongBaseUrlError);
  });

  it.runIf(names.includes("swap-missing-access-type"))("a swap without access_type is explained", async () => {
    const admin = createAdminClient(connection(loadExchange("swap-missing-access-type")));
    await expect(admin.swapCredential({ new_credential_id: 2, connector_id: 1 })).rejects.toThrow(
      'Pass access_type: "public", "private" or "sync"',
    );
  });

  it.runIf(names.includes("swap-ok-back"))("a swap's pair number is kept", async () => {
    const admin = createAdminClient(connection(loadExchange("swap-ok-back")));
    expect(await admin.swapCredential({ new_credential_id: 1, connector_id: 1, access_type: "public" })).toMatchObject({
      success: true,
      data: expect.any(Number),
    });
  });
});
