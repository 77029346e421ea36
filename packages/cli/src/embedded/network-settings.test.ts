import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect as connectPlainly } from "node:net";
import { connect } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterThisFile, temporaryFolder } from "@threadlore/testkit";
import { onPath } from "@threadlore/testkit/debian";
import { describe, expect, it, vi } from "vitest";
import { runHere } from "../testing/in-process.ts";
import { startEmbedded } from "../testing/embedded-service.ts";
import { finished, newHome, runCli } from "../testing/spawn-cli.ts";
import { networkOf } from "./network-settings.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const openssl = onPath(["openssl"], process.env);

/** A certificate that vouches for itself, in two files. */
function makeCertificate(name: string): { cert: string; key: string } {
  const folder = temporaryFolder();
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"];
  const out = [
    "-keyout",
    files.key,
    "-out",
    files.cert,
    "-subj",
    `/CN=${name}`,
    "-addext",
    `subjectAltName=DNS:${name}`,
  ];
  execFileSync(openssl ?? "openssl", ["req", "-x509", ...kind, ...out], { stdio: "ignore" });
  return files;
}

describe("options of the network", () => {
  it("are the service's", () => {
    const flags = { log: "text", listen: ["[::]"], host: ["a"], tlsCert: "c", tlsKey: "k", stopAfter: 5 } as const;
    expect(networkOf({ ...flags, listen: ["[::]"], host: ["a"] })).toEqual({
      listen: ["[::]"],
      hosts: ["a"],
      trustedProxies: [],
      plainHttp: false,
      tls: { cert: "c", key: "k" },
      stopMs: 5_000,
    });
  });

  it("say at once everything that stands against them, and start nothing", async () => {
    const home = temporaryFolder();
    const open = await runHere(["serve", "--port", "0", "--listen", "0.0.0.0", "--anonymous"], { home });
    expect(open.code).toBe(2);
    expect(
      open.stderr
        .trim()
        .split("\n")
        .map((line) => line.slice(0, 24)),
    ).toEqual(["--anonymous admits calle", "Say by which names it is", "Keys would travel in the"]);
    const half = await runHere(["serve", "--port", "0", "--tls-cert", "cert.pem"], { home });
    expect([half.code, half.stderr]).toEqual([2, expect.stringContaining("--tls-cert and --tls-key belong together")]);
  });
});

describe("threadlore serve beyond loopback", () => {
  it("says where people find it, and this machine's commands find it as before", async () => {
    const network = ["--listen", "0.0.0.0", "--host", "knowledge.example.com", "--plain-http"];
    const service = await startEmbedded(newHome(), network);
    const doctor = await runCli(["doctor", "--json"], { home: service.home });
    expect(doctor.code).toBe(0);
    // Somebody whose request does not end is waited for; not where it is told to stop a second time.
    const { port } = new URL(service.url);
    const open = connectPlainly({ port: Number(port), host: "127.0.0.1" }).on("error", () => undefined);
    const key = readFileSync(join(service.home.folder, ".local/share/threadlore/key"), "utf8").trim();
    const headers = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${key}`, "Content-Type: application/json"];
    open.write(`POST /chat/send-chat-message HTTP/1.1\r\n${headers.join("\r\n")}\r\nContent-Length: 500\r\n\r\n{`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const ended = service.stop("SIGTERM");
    await vi.waitFor(() => expect(service.said()).toContain("Stopping once 1 request is answered."));
    void service.stop("SIGTERM");
    const { code, stdout, stderr } = await ended;
    expect(stderr).toContain("Without TLS: keys travel in the clear.");
    expect(stdout).toContain(`Threadlore listens on http://knowledge.example.com:${port}, and on ${service.url}`);
    expect(code).toBe(130);
  });

  it.skipIf(openssl === undefined)("reads its certificate anew when told to, and tells all of it in JSON", async () => {
    const [first, second] = [makeCertificate("first.example.com"), makeCertificate("second.example.com")];
    const home = newHome();
    const names = ["--host", "first.example.com", "--host", "second.example.com"];
    const tls = ["--listen", "0.0.0.0:0", "--tls-cert", first.cert, "--tls-key", first.key];
    const args = ["serve", "--port", "0", ...tls, ...names, "--log", "json"];
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: home.folder, env: home.env, stdio: "pipe" });
    afterThisFile(() => child.kill("SIGKILL"));
    const end = finished(child);
    let said = "";
    child.stderr.on("data", (text: string) => (said += text));
    const told = (): Record<string, unknown>[] =>
      said
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const listening = await vi.waitFor(
      () => told().find(({ event }) => event === "listening") ?? Promise.reject(new Error(said)),
      {
        timeout: 20_000,
      },
    );
    const port = Number(new URL(String(listening["public_url"])).port);
    const nameOf = async (): Promise<unknown> => {
      const ca = [first, second].map(({ cert }) => readFileSync(cert));
      const socket = connect({
        host: "127.0.0.1",
        port,
        ca,
        servername: "first.example.com",
        checkServerIdentity: () => undefined,
      });
      await once(socket, "secureConnect");
      const { subject } = socket.getPeerCertificate();
      socket.destroy();
      return subject.CN;
    };
    expect(await nameOf()).toBe("first.example.com");
    copyFileSync(second.cert, first.cert);
    copyFileSync(second.key, first.key);
    child.kill("SIGHUP");
    await vi.waitFor(async () => expect(await nameOf()).toBe("second.example.com"), { timeout: 10_000 });
    child.kill("SIGTERM");
    const { code, stdout } = await end;
    expect([code, stdout]).toEqual([0, ""]);
    expect(told().map(({ event }) => event)).toEqual(
      expect.arrayContaining(["certificate read", "listening", "stopping"]),
    );
  });
});
