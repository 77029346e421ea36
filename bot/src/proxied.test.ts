import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startWorkspace, type Workspace } from "@threadlore/chat-workspace";
import {
  afterThisFile,
  createAuthority,
  type DeployedServer,
  type ProxyServer,
  startDeployedServer,
  startProxyServer,
  startSecureFront,
  temporaryFolder,
} from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";

const START = fileURLToPath(new URL("../start.cjs", import.meta.url));
const PASSWORD = "p4ss-canary";

/** A company: Slack and the knowledge server are reached by its proxy alone, and show certificates of its authority. */
let company: { proxy: ProxyServer; workspace: Workspace; server: DeployedServer; folder: string; file: string };

beforeAll(async () => {
  const authority = createAuthority("Harbour Company Authority");
  const workspace = await startWorkspace({ publicUrl: "https://slack.com" });
  const server = await startDeployedServer();
  const slack = await startSecureFront(authority.issue("slack.com"), workspace.port);
  const knowledge = await startSecureFront(authority.issue("knowledge.test"), Number(new URL(server.origin).port));
  const proxy = await startProxyServer({
    routes: { "slack.com:443": slack.port, "knowledge.test:443": knowledge.port },
    credentials: `anna:${PASSWORD}`,
  });
  const folder = temporaryFolder();
  const file = join(folder, "authority.pem");
  writeFileSync(file, authority.cert);
  company = { proxy, workspace, server, folder, file };
  for (const one of [workspace, server, slack, knowledge, proxy]) afterThisFile(() => one.close());
});

function start(args: readonly string[], env: Record<string, string>): ChildProcess & { said: () => string } {
  const { workspace, server, folder, proxy } = company;
  const child = spawn(process.execPath, [START, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      HTTPS_PROXY: proxy.url.replace("://", `://anna:${PASSWORD}@`),
      SLACK_BOT_TOKEN: workspace.credentials.botToken,
      SLACK_APP_TOKEN: workspace.credentials.appToken,
      THREADLORE_URL: "https://knowledge.test/api",
      THREADLORE_KEY: server.keys.member,
      THREADLORE_PROFILE: "deployed",
      OPERATIONS_PORT: "off",
      ...env,
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text: Buffer) => (said += text.toString()));
  return Object.assign(child, { said: () => said });
}

async function doctor(env: Record<string, string>): Promise<string> {
  const child = start(["doctor"], env);
  await once(child, "close");
  return child.said();
}

describe("behind a company's proxy", () => {
  it("a mention with a file is answered: calls, sockets, downloads and the server all go through it", async () => {
    const { workspace, server, proxy, file } = company;
    const anna = workspace.addUser({ name: "anna" });
    const channel = workspace.addChannel({ name: "help", members: [anna.user.id] });
    const text = "The harbour gate opens with code word marigold.";
    server.addDocument({ id: "gate", title: "The gate", text, link: "https://handbook.example/gate" });
    const child = start([], { THREADLORE_CA_FILE: file });
    try {
      await workspace.until(() => workspace.sockets() === 2, 60_000);
      const notes = { name: "notes.txt", mimetype: "text/plain", content: "The gate is green." };
      const asked = await anna.mention(channel.id, "Which code word opens the harbour gate?", { files: [notes] });
      await workspace.until(
        () =>
          workspace
            .messages(channel.id, asked)
            .some(({ shown, stream }) => shown.includes("marigold") && stream?.state !== "in_progress"),
        60_000,
      );
      expect([...server.uploads.values()].map(({ name }) => name)).toEqual(["notes.txt"]);

      // The proxy lets nothing through for a while: that is told as what it is, and passes.
      proxy.behaviour.refuse = 403;
      proxy.cutAll();
      await workspace.until(() => child.said().includes('"code":"PROXY_REFUSES"'), 60_000);
      expect(workspace.sockets()).toBe(0);
      proxy.behaviour.refuse = undefined;
      await workspace.until(() => workspace.sockets() === 2, 60_000);
    } finally {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    const targets = new Set(proxy.asked.map(({ method, target, status }) => `${method} ${target} ${status}`));
    const through = [...targets].filter((target) => target.endsWith(" 200"));
    expect(new Set(through)).toEqual(new Set(["CONNECT slack.com:443 200", "CONNECT knowledge.test:443 200"]));
    expect(child.said()).toContain('"event":"started"');
    expect(child.said()).not.toMatch(new RegExp(`${PASSWORD}|Basic`));
  });

  it.concurrent.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])("%s names its authority as well", async (name) => {
    const said = await doctor({ [name]: company.file });
    const by = `by the proxy 127.0.0.1:${company.proxy.port} (HTTPS_PROXY)`;
    const trusted = "its certificate is of “Harbour Company Authority”, which is trusted here.";
    expect(said).toContain(`ok   way to Slack: slack.com is called ${by}; ${trusted}\n`);
    expect(said).toContain(`ok   way to the knowledge server: knowledge.test is called ${by}; ${trusted}\n`);
    expect(said).toContain("ok   bot token: ");
    expect(said).toContain("ok   app-level token: ");
    // Its files and sockets have names of their own, which this proxy does not know.
    expect(said).toMatch(
      /^fix {2}way to Slack's sockets: The proxy .* does not get through to wss-primary\.slack\.com:443 \(502\)\./m,
    );
    expect(said).not.toContain(PASSWORD);
  });

  it.concurrent("the doctor says whose certificate is not trusted, and what to do", async () => {
    const said = await doctor({});
    expect(said).toContain("its certificate is of “Harbour Company Authority”, which nothing on this machine trusts");
    expect(said).toContain("name the file of its certificate (PEM) in THREADLORE_CA_FILE");
    expect(said).toContain("fix  bot token: Its certificate is signed by nobody this machine knows.");
  });

  it.concurrent("the doctor says that the proxy does not take the password, and shows none", async () => {
    const said = await doctor({ HTTPS_PROXY: company.proxy.url.replace("://", "://anna:wrong-canary@") });
    const words = `he proxy 127.0.0.1:${company.proxy.port} (HTTPS_PROXY) does not take the name and the password in HTTPS_PROXY (407)`;
    expect(said).toContain(`fix  way to Slack: T${words}.`);
    expect(said).toContain(`fix  bot token: T${words}.`);
    expect(said).toContain(`fix  base URL: `);
    expect(said).not.toContain("canary");
  });

  it.concurrent("a file of certificates that cannot be read is told before anything starts", async () => {
    const child = start([], { THREADLORE_CA_FILE: "nowhere.pem" });
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(2);
    expect(child.said()).toContain("- THREADLORE_CA_FILE: ");
  });
});
