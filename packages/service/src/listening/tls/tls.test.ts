import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { afterThisTest, temporaryFolder } from "@threadlore/testkit";
import { onPath } from "@threadlore/testkit/debian";
import { describe, expect, it } from "vitest";
import { serve } from "../../serve.ts";
import { isOpensslMissing, makeAuthority } from "./certificates.harness.ts";
import { keyHeader, NAME, ownAddress, openSocket, send, sendRaw, startNetwork } from "../network.harness.ts";

const curl = onPath(["curl"], process.env);

describe.skipIf(isOpensslMissing)("a service with TLS", async () => {
  if (isOpensslMissing) return;
  const authority = makeAuthority();
  const ca = authority.root;
  const [first, second] = ["first", "second"].map((name) => authority.issue(name, [NAME, "127.0.0.1"]));
  const folder = temporaryFolder();
  const tls = { cert: `${folder}/cert.pem`, key: `${folder}/key.pem` };
  const put = (pair: typeof first): void => {
    if (pair === undefined) return;
    copyFileSync(pair.cert, tls.cert);
    copyFileSync(pair.key, tls.key);
  };
  put(first);
  const lines: string[] = [];
  const running = await startNetwork(
    { listen: ["0.0.0.0:0"], tls },
    { logLevel: "info", log: (line) => lines.push(line), limits: { headersMs: 400 } },
    "file",
  );
  const { port, url } = running;

  /** A connection that has agreed on TLS, and who it was told the other is. */
  const agree = async (options: ConnectionOptions = {}): Promise<{ socket: TLSSocket; name: string | undefined }> => {
    const socket = connect({ host: "127.0.0.1", port, servername: NAME, ca, ...options });
    socket.on("error", () => undefined);
    afterThisTest(() => socket.destroy());
    await once(socket, "secureConnect");
    return { socket, name: [socket.getPeerCertificate().subject?.CN].flat()[0] };
  };
  const asked = async (socket: TLSSocket): Promise<string> => {
    socket.write(`GET /health HTTP/1.1\r\nHost: ${NAME}:${port}\r\n\r\n`);
    return String((await once(socket, "data"))[0]);
  };

  it("is known by its certificate and the one in between, and has browsers stay with TLS", async () => {
    const reply = await send(port, "/me", { ca, headers: keyHeader() });
    expect(reply.status).toBe(200);
    expect(reply.headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(running.publicUrl).toBe(`https://${NAME}:${port}`);
    const path = "/.well-known/oauth-protected-resource/mcp";
    expect((await send(port, path, { ca })).body).toMatchObject({ resource: `https://${NAME}:${port}/mcp` });
  });

  it("leaves this machine its own port, without TLS", async () => {
    const reply = await fetch(`${url}/me`, { headers: keyHeader() });
    expect([reply.status, reply.headers.get("strict-transport-security")]).toEqual([200, null]);
  });

  it.skipIf(curl === undefined)("is asked by curl", async () => {
    const to = ["--silent", "--show-error", "--cacert", authority.rootFile, "--resolve", `${NAME}:${port}:127.0.0.1`];
    const address = `https://${NAME}:${port}`;
    const run = promisify(execFile);
    const { stdout } = await run(curl ?? "", [
      ...to,
      "--header",
      `Authorization: ${keyHeader().authorization}`,
      `${address}/me`,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ role: "admin" });
    const unknown = run(curl ?? "", [...to.slice(0, 2), ...to.slice(4), `${address}/health`]);
    await expect(unknown).rejects.toThrow(/certificate/);
  });

  it.skipIf(ownAddress === undefined)("T22 answers to its names only", async () => {
    const reply = await send(port, "/health", { ca, host: ownAddress, headers: { host: "evil.test" } });
    expect(reply.status).toBe(403);
  });

  it.each(["http/1.0", "http/1.1", undefined])(
    "agrees on %s with who says beforehand what it speaks",
    async (spoken) => {
      const { socket } = await agree(spoken === undefined ? {} : { ALPNProtocols: [spoken] });
      expect(socket.alpnProtocol).toBe(spoken ?? false);
      expect(await asked(socket)).toContain(" 200 OK");
    },
  );

  it("gives no answer to whoever speaks without TLS, and does not wait for who says nothing", async () => {
    expect(await sendRaw(port, `GET /health HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`)).not.toContain("200");
    const silent = await openSocket(port);
    await new Promise((resolve) => silent.resume().once("end", resolve));
    expect((await send(port, "/health", { ca })).status).toBe(200);
  });

  it("goes on with another certificate: open connections stay, new ones and those that come back get it", async () => {
    const open = await agree();
    const session = await new Promise<Buffer>((resolve, reject) => {
      open.socket.once("session", resolve);
      asked(open.socket).catch(reject);
    });
    expect(open.name).toBe("first");
    put(second);
    expect(await running.reloadCertificate()).toBe(true);
    expect(await asked(open.socket)).toContain(" 200 OK");
    expect((await agree()).name).toBe("second");
    const back = await agree({ session });
    expect(await asked(back.socket)).toContain(" 200 OK");
  });

  it("stays with the certificate it has where the next is none, and says so in its log", async () => {
    if (first !== undefined) copyFileSync(first.key, tls.key);
    expect(await running.reloadCertificate()).toBe(false);
    expect((await agree()).name).toBe("second");
    expect(lines.join("\n")).toMatch(/cannot be used; the one before stays why=.*is not the key of the certificate/);
    put(second);
  });

  it("says of a certificate which of its hosts it does not name", async () => {
    const said: string[] = [];
    await startNetwork(
      { listen: ["0.0.0.0:0"], tls, hosts: [NAME, "other.example.com"] },
      { logLevel: "warn", log: (line) => said.push(line) },
    );
    expect(said).toEqual(['the certificate does not name every host missing="other.example.com"']);
  });

  it("does not start without one that can be used, and leaves the database free", async () => {
    const database = `${folder}/data/service.db`;
    const network = { listen: ["0.0.0.0:0"], hosts: [NAME] };
    const refused = serve({ database, port: 0, network: { ...network, tls: { ...tls, key: `${folder}/none.pem` } } });
    await expect(refused).rejects.toThrow(`--tls-key ${folder}/none.pem: there is no such file.`);
    const again = await serve({ database, port: 0, network: { ...network, tls } });
    await again.close();
  });

  it("T39 ends a body that does not come along over TLS as well, and none at a fair pace", async () => {
    const limits = { leastRate: 10_000, stretchMs: 200 };
    const other = await startNetwork({ listen: ["0.0.0.0:0"], tls }, { limits });
    const head = (length: number): string =>
      `POST /chat/send-chat-message HTTP/1.1\r\nHost: ${NAME}\r\nAuthorization: ${keyHeader().authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const slow = await agree({ port: other.port });
    slow.socket.write(`${head(1_000)}{`);
    expect(String((await once(slow.socket, "data"))[0])).toMatch(/^HTTP\/1.1 408 /);
    const fair = await agree({ port: other.port });
    const body = JSON.stringify({ message: "Where?", stream: false, additional_context: "lift ".repeat(20_000) });
    fair.socket.write(head(body.length));
    const reply = once(fair.socket, "data");
    for (let sent = 0; sent < body.length; sent += 5_000) {
      fair.socket.write(body.slice(sent, sent + 5_000));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(String((await reply)[0])).toContain(" 200 OK");
  });
});
