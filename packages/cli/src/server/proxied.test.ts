import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  afterThisFile,
  type Authority,
  createAuthority,
  type DeployedServer,
  type ProxyServer,
  startDeployedServer,
  startProxyServer,
  startScriptedModel,
  startSecureFront,
  temporaryFolder,
} from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { startEmbedded } from "../testing/embedded-service.ts";
import { newHome, runCli } from "../testing/spawn-cli.ts";

const PASSWORD = "p4ss-canary";

/** A company whose server is reached by its proxy alone, and shows a certificate of its authority. */
let company: {
  proxy: ProxyServer;
  server: DeployedServer;
  file: string;
  authority: Authority;
};

beforeAll(async () => {
  const authority = createAuthority("Harbour Company Authority");
  const server = await startDeployedServer();
  const front = await startSecureFront(authority.issue("knowledge.test"), Number(new URL(server.origin).port));
  const proxy = await startProxyServer({
    routes: { "knowledge.test:443": front.port },
    credentials: `anna:${PASSWORD}`,
  });
  const file = join(temporaryFolder(), "authority.pem");
  writeFileSync(file, authority.cert);
  const text = "The harbour gate opens with code word marigold.";
  server.addDocument({ id: "gate", title: "The gate", text, link: "https://handbook.example/gate" });
  company = { proxy, server, file, authority };
  for (const one of [server, front, proxy]) afterThisFile(() => one.close());
});

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runCli(args, {
    home: newHome(),
    env: {
      HTTPS_PROXY: company.proxy.url.replace("://", `://anna:${PASSWORD}@`),
      THREADLORE_CA_FILE: company.file,
      THREADLORE_URL: "https://knowledge.test",
      THREADLORE_API_KEY: company.server.keys.admin,
      THREADLORE_INGESTION_PATH: "/onyx-api/ingestion",
      ...env,
    },
  });
const QUESTION = "Which code word opens the harbour gate?";

describe("behind a company's proxy", { timeout: 60_000 }, () => {
  it("a question is answered", async () => {
    const { code, stdout, stderr } = await run(["ask", QUESTION]);
    expect(stdout).toContain("marigold");
    expect(code).toBe(0);
    expect(company.proxy.asked.at(-1)).toEqual({ method: "CONNECT", target: "knowledge.test:443", status: 200 });
    expect(stdout + stderr).not.toContain(PASSWORD);
  });

  it("an answer that the proxy cuts in the middle goes on by another connection", async () => {
    const { behaviour } = company.proxy;
    company.server.answerNext("The code word is marigold. ".repeat(1_000) + "That is all.");
    behaviour.cutAfterBytes = 40_000;
    const { stdout, stderr, code } = await run(["ask", QUESTION]);
    // It was cut.
    expect(behaviour.cutAfterBytes).toBeUndefined();
    expect(stdout).toContain("That is all.");
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });

  it.concurrent("the doctor says which proxy is used, and that all is well", async () => {
    const { stdout, code } = await run(["doctor", "--needs", "ask"]);
    expect(stdout).toContain(
      `ok   way to the server: knowledge.test is called by the proxy 127.0.0.1:${company.proxy.port} (HTTPS_PROXY); ` +
        "its certificate is of “Harbour Company Authority”, which is trusted here.\n",
    );
    expect(code).toBe(0);
  });

  it.concurrent("the doctor says whose certificate is not trusted", async () => {
    const { stdout, code } = await run(["doctor", "--needs", "ask"], { THREADLORE_CA_FILE: "" });
    expect(stdout).toContain("its certificate is of “Harbour Company Authority”, which nothing on this machine trusts");
    expect(code).toBe(11);
  });

  it.concurrent.each([
    [
      "a wrong password",
      (url: string) => url.replace("://", "://anna:wrong-canary@"),
      "does not take the name and the password in HTTPS_PROXY (407)",
    ],
    [
      "a proxy of another kind",
      () => "socks5://anna:wrong-canary@p.test",
      "names a proxy of the kind socks5, which is not spoken here",
    ],
  ])("with %s a command says so, and shows no password", async (_, proxy, words) => {
    const { stderr, stdout, code } = await run(["ask", QUESTION], { HTTPS_PROXY: proxy(company.proxy.url) });
    expect(stderr).toContain(words);
    expect(stderr).toContain("The server at knowledge.test cannot be reached: ");
    expect(code).toBe(7);
    expect(stderr + stdout).not.toContain("canary");
  });

  it.concurrent("a file of certificates that cannot be read is told at once", async () => {
    const { stderr, code } = await run(["ask", QUESTION], { THREADLORE_CA_FILE: "nowhere.pem" });
    expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(/^THREADLORE_CA_FILE: .*ENOENT/), code: 2 });
  });

  it("the embedded service has its answers written and its texts embedded through it", async () => {
    const { proxy, authority, file } = company;
    const model = await startScriptedModel([{ text: "It is marigold [1]." }]);
    const front = await startSecureFront(authority.issue("model.test"), Number(new URL(model.url).port));
    proxy.behaviour.routes = { ...proxy.behaviour.routes, "model.test:443": front.port };
    const home = newHome();
    const env = {
      ...home.env,
      HTTPS_PROXY: proxy.url.replace("://", `://anna:${PASSWORD}@`),
      // What runs here is never called by it.
      HTTP_PROXY: proxy.url,
      // Nor where Node itself was told to.
      NODE_USE_ENV_PROXY: "1",
      THREADLORE_CA_FILE: file,
      MODEL_BASE_URL: "https://model.test/v1",
      MODEL_NAME: "scripted",
      EMBEDDING_BASE_URL: "https://model.test/v1",
      EMBEDDING_NAME: "scripted",
    };
    const service = await startEmbedded({ ...home, env });
    try {
      writeFileSync(join(home.folder, "gate.md"), "# The gate\n\nThe harbour gate opens with code word marigold.\n");
      const added = await runCli(["ingest", "gate.md", "--pair", "1"], { home: { ...home, env } });
      expect(added.code, added.stderr).toBe(0);
      const { stdout, stderr } = await runCli(["ask", QUESTION], { home: { ...home, env } });
      expect(stdout, stderr).toContain("It is marigold");
      const paths = model.server.requests.map(({ path }) => path);
      expect(paths).toContain("/v1/chat/completions");
      expect(paths).toContain("/v1/embeddings");
    } finally {
      await service.stop();
      await front.close();
      await model.close();
    }
    const targets = new Set(proxy.asked.map(({ method, target }) => `${method} ${target}`));
    expect(targets).toEqual(new Set(["CONNECT knowledge.test:443", "CONNECT model.test:443"]));
  });

  it("a page of the web is fetched through it, though nobody here knows its name", async () => {
    const definition = {
      openapi: "3.0.0",
      info: { title: "Tides", description: "Tide tables" },
      servers: [{ url: "https://api.example.com" }],
      paths: { "/tides": { get: { operationId: "listTides", summary: "List tides" } } },
    };
    const web = createServer((_, response) => response.end(JSON.stringify(definition))).listen(0, "127.0.0.1");
    await once(web, "listening");
    afterThisFile(() => web.close());
    const front = await startSecureFront(company.authority.issue("web.test"), (web.address() as AddressInfo).port);
    afterThisFile(() => front.close());
    const { behaviour } = company.proxy;
    behaviour.routes = { ...behaviour.routes, "web.test:443": front.port };
    const { stdout, stderr } = await run(["tool", "validate", "https://web.test/tides.json"]);
    expect(stdout + stderr).toContain("listTides");
    expect(company.proxy.asked.map(({ target }) => target)).toContain("web.test:443");
  });
});
