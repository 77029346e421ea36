import { join } from "node:path";
import { closedPort, type FaultServer, type Reply, startFaultServer } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { killLoop } from "../testing/kill-loop.ts";
import { runIn } from "../testing/in-process.ts";
import { newHome, runCli, runShell, type SpawnOptions } from "../testing/spawn-cli.ts";
import { answerStream, events, OPENING, placed, SESSION } from "../testing/streams.ts";

const servers: FaultServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server that answers every chat request alike, and knows no other path. */
async function chatServer(reply: Reply): Promise<FaultServer> {
  const server = await startFaultServer((request) => {
    if (request.path.endsWith("/chat/send-chat-message")) return reply;
    if (request.path.includes("/stop-chat-session/")) return { json: {} };
    return { status: 404, json: { detail: "404: Not Found" } };
  });
  servers.push(server);
  return server;
}

function env(server: { url: string }): Record<string, string> {
  return { THREADLORE_URL: `${server.url}/api`, THREADLORE_API_KEY: "tl_TESTcanary0123456789" };
}

const ask = (server: { url: string }, args: readonly string[] = [], options: SpawnOptions = {}) =>
  runCli(["ask", ...args, "How many days?"], { ...options, env: { ...env(server), ...options.env } });

/** The same in this process. */
const askHere = (server: { url: string }, args: readonly string[] = []) =>
  runIn(newHome(), ["ask", ...args, "How many days?"], { env: env(server) });

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Text that tries everything a terminal can be told. */
const HOSTILE = [
  Array.from({ length: 256 }, (_, code) => String.fromCodePoint(code)).join(""),
  "\u001b]8;;https://evil.test\u0007click\u001b]8;;\u0007 \u001b]52;c;aGk=\u0007 \u001b[2J\u001b[1;1H\u009b31m \u202Eevil",
].join(" ");

function hostileStream(): Reply {
  return events([
    { chat_session_id: SESSION },
    placed({ type: "search_tool_start" }),
    placed({ type: "search_tool_queries_delta", queries: [HOSTILE] }),
    placed({
      type: "message_start",
      final_documents: [
        { document_id: "d", semantic_identifier: HOSTILE, link: "https://a.example/", source_type: "web" },
      ],
    }),
    placed({ type: "citation_info", citation_number: 1, document_id: "d" }),
    ...(HOSTILE.match(/.{1,7}/gsu) ?? []).map((content) => placed({ type: "message_delta", content })),
    placed({ type: "message_delta", content: " [1]" }),
    placed({ type: "stop" }),
  ]);
}

describe("table 3E: the command line", () => {
  it("3E EPIPE (`| head`): exits 0 quietly", async () => {
    const lines = Array.from({ length: 3_000 }, (_, line) =>
      placed({ type: "message_delta", content: `line ${line}\n\n` }),
    );
    const server = await chatServer(events([...OPENING, ...lines, placed({ type: "stop" })]));
    const { stdout, stderr } = await runShell('threadlore ask "How many?" | head -n 1; echo "codes ${PIPESTATUS[*]}"', {
      env: env(server),
    });
    expect(stdout).toBe("line 0\ncodes 0 0\n");
    expect(stderr).toBe("");
  });

  it("3E EPIPE (`| head`): a reader that goes away in the middle stops the answer on the server", async () => {
    const body = [
      ...OPENING,
      ...Array.from({ length: 40 }, (_, n) => placed({ type: "message_delta", content: `line ${n}\n\n` })),
    ];
    const server = await chatServer({
      ...events(body),
      trickle: { bytes: 400, everyMs: 20 },
      stall: { afterBody: 100_000 },
    });
    const { stdout } = await runShell('threadlore ask "How many?" | head -n 1; echo "codes ${PIPESTATUS[*]}"', {
      env: env(server),
    });
    expect(stdout).toBe("line 0\ncodes 0 0\n");
    expect(server.requests.map(({ path }) => path)).toContain(`/api/chat/stop-chat-session/${SESSION}`);
  });

  it("3E SIGINT: aborts, stops the answer on the server, keeps what came, and exits 130", async () => {
    const opening = events([...OPENING, placed({ type: "message_delta", content: "The first words\n\nand" })]);
    const server = await chatServer({ ...opening, stall: { afterBody: 100_000 } });
    const result = await ask(server, [], {
      onStart: (child) => child.stdout?.once("data", () => child.kill("SIGINT")),
    });
    expect(result).toMatchObject({ code: 130, signal: null });
    expect(result.stdout).toContain("The first words");
    expect(result.stderr).toBe("Stopped.\n");
    expect(server.requests.map(({ path }) => path)).toContain(`/api/chat/stop-chat-session/${SESSION}`);
  });

  it("3E SIGINT: exits 130 also while nothing has come yet", async () => {
    const server = await chatServer({ stall: "before-head" });
    const result = ask(server, [], {
      onStart: (child) => void server.received(1).then(() => child.kill("SIGINT")),
    });
    expect(await result).toMatchObject({ code: 130, signal: null });
  });

  it("3E non-TTY: emits no control bytes, whatever the server sends", async () => {
    const { code, stdout, stderr } = await ask(await chatServer(hostileStream()));
    expect(code).toBe(0);
    expect(stdout).not.toMatch(CONTROLS);
    expect(stderr).not.toMatch(CONTROLS);
    expect(stdout).toContain("Sources");
  });

  it("3E TTY: writes no escape but its own, whatever the server sends", async () => {
    const server = await chatServer(hostileStream());
    const { stdout } = await runShell(`script -qec 'bash -c "$LINE"' /dev/null < /dev/null`, {
      env: {
        ...env(server),
        LINE: `"${process.execPath}" "${join(import.meta.dirname, "../main.ts")}" ask "How many days?"`,
      },
    });
    expect(stdout).toContain("\u001b[");
    // Colours, and the repainting of the paragraph being written: up so many lines, to the margin, erase that line and below.
    // oxlint-disable-next-line no-control-regex -- control sequences are what is looked for
    const content = stdout.replaceAll(/\u001b\[[0-9;]*m|\u001b\[\d+A\r\u001b\[K\u001b\[C\u001b\[J\r|\r(?=\n)/g, "");
    expect(content).not.toMatch(CONTROLS);
    expect(content).toContain("Searching");
  });

  it("3E TTY: NO_COLOR leaves no escape at all", async () => {
    const server = await chatServer(answerStream("**28** days"));
    const { stdout } = await runShell(`script -qec 'bash -c "$LINE"' /dev/null < /dev/null`, {
      env: {
        ...env(server),
        NO_COLOR: "1",
        LINE: `"${process.execPath}" "${join(import.meta.dirname, "../main.ts")}" ask "How many days?"`,
      },
    });
    expect(stdout).toContain("28 days");
    expect(stdout).not.toContain("\u001b");
  });

  it("3E partial: exit code 3, the text that came, and a note on stderr", async () => {
    const cut = events([...OPENING, placed({ type: "message_delta", content: "Everyone has 28 days" })]);
    const { code, stdout, stderr } = await ask(await chatServer(cut));
    expect(code).toBe(3);
    expect(stdout).toContain("Everyone has 28 days");
    expect(stderr).toBe(
      "The answer broke off: the connection ended before it was complete. Ask again to get all of it.\n",
    );
  });

  it.each([
    ["an answer", 0, answerStream("28 days")],
    ["a partial answer", 3, events([...OPENING, placed({ type: "message_delta", content: "half" })])],
    ["a wrong key", 4, { status: 401, json: { detail: "Unauthorized" } }],
    ["a missing right", 4, { status: 403, json: { error_code: "INSUFFICIENT_PERMISSIONS", detail: "No." } }],
    [
      "a refused request",
      5,
      { status: 422, json: { detail: [{ loc: ["body", "message"], msg: "Too long", type: "x" }] } },
    ],
    [
      "a used-up budget",
      6,
      { status: 429, headers: { "retry-after": "7200" }, json: { detail: "Token budget exceeded" } },
    ],
    ["a server error", 7, { status: 500, json: { detail: "boom" } }],
    ["a web page", 8, { headers: { "content-type": "text/html" }, body: "<html>Sign in</html>" }],
    ["broken JSON", 8, { headers: { "content-type": "text/event-stream" }, body: "data: {broken\n\n" }],
    ["an error line", 10, events([...OPENING, { error: "The model is busy", error_code: "RATE_LIMIT" }])],
  ] satisfies [string, number, Reply][])(
    "3E --json: one valid document for %s, exit code %i",
    async (_name, expected, reply) => {
      const { code, stdout } = await askHere(await chatServer(reply), ["--json"]);
      const document = JSON.parse(stdout) as Record<string, unknown>;
      expect(document).toMatchObject({ ok: expected === 0, exit_code: expected });
      expect(code).toBe(expected);
      expect(typeof (document["error"] as { message?: unknown } | undefined)?.message).toBe(
        expected === 0 ? "undefined" : "string",
      );
    },
  );

  it("3E --json: one valid document when nobody listens, nothing is configured, or the arguments are wrong", async () => {
    const gone = await runIn(newHome(), ["ask", "--json", "q"], {
      env: { THREADLORE_URL: `${await closedPort()}/api` },
    });
    expect(JSON.parse(gone.stdout)).toMatchObject({ ok: false, exit_code: 7 });
    const unset = await runIn(newHome(), ["ask", "--json", "q"]);
    expect(JSON.parse(unset.stdout)).toMatchObject({ ok: false, exit_code: 2, error: { cause: "usage" } });
    const wrong = await runCli(["ask", "--json", "--colour", "q"]);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false, exit_code: 2 });
    expect(wrong.code).toBe(2);
  }, 60_000);

  it("3E --json: one valid document after Ctrl-C, with the text that came", async () => {
    const opening = events([...OPENING, placed({ type: "message_delta", content: "The first words" })]);
    const server = await chatServer({ ...opening, stall: { afterBody: 100_000 } });
    const { code, stdout } = await ask(server, ["--json"], {
      onStart: (child) => void server.received(1).then(() => setTimeout(() => child.kill("SIGINT"), 1_500)),
    });
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: "stopped", answer: "The first words", exit_code: 130 });
  });

  it("3E 422: prints the path of each wrong field", async () => {
    const issues = [
      { loc: ["body", "internal_search_filters", "tags", 0, "tag_key"], msg: "Field required", type: "missing" },
      { loc: ["body", "message"], msg: "Too long", type: "string_too_long" },
    ];
    const { code, stderr } = await askHere(await chatServer({ status: 422, json: { detail: issues } }));
    expect(code).toBe(5);
    expect(stderr).toContain("body.internal_search_filters.tags.0.tag_key: Field required\n");
    expect(stderr).toContain("body.message: Too long\n");
  });

  it("3E batch ingest: kill -9 at any point loses nothing and sends nothing acknowledged twice", async () => {
    expect(await killLoop({ cycles: 12, documents: 40, seed: 3 })).toEqual({ lost: [], sentAgain: [] });
  }, 120_000);

  it("3E secrets: a key in the server's own words is not printed", async () => {
    const leaky = { status: 500, json: { detail: "denied for key tl_TESTcanary0123456789" } };
    for (const args of [[], ["--json"]]) {
      const { stdout, stderr } = await askHere(await chatServer(leaky), args);
      expect(stdout + stderr).not.toContain("tl_TESTcanary0123456789");
    }
  });

  it("3E secrets: there is no option that takes a key", async () => {
    for (const command of ["ask", "ingest", "login", "doctor", "serve"]) {
      const { stdout } = await runIn(newHome(), [command, "--help"]);
      expect(stdout).toContain(command);
      expect(stdout).not.toMatch(/--(api-)?key/);
    }
  });
});
