import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterThisTest, startScriptedModel, temporaryFolder } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { bareEnvironment } from "./testing/bare-environment.ts";

const START = join(import.meta.dirname, "start.ts");
const THREADLORE = join(import.meta.dirname, "../../cli/src/main.ts");

/** Beside whatever else runs here, and without the extension, whose own test builds it. */
const APART = ["--port", "0", "--chat-port", "0", "--no-extension"];

interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** The command in a process of its own; `output` is what it has written so far, both streams together. */
function start(
  args: readonly string[],
  more: Record<string, string> = {},
): { child: ChildProcess; end: Promise<Finished>; output: () => string } {
  const home = temporaryFolder();
  const child = spawn(process.execPath, [START, ...args], {
    cwd: home,
    env: { ...bareEnvironment(home), ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Its test may fail before it could stop it.
  afterThisTest(() => child.kill("SIGKILL"));
  let output = "";
  child.stdout?.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr?.on("data", (text: Buffer) => (output += text.toString()));
  const end = new Promise<Finished>((resolve) => child.once("close", (code) => resolve({ code, output })));
  return { child, end, output: () => output };
}

const once = (folder: string, ...more: string[]): Promise<Finished> =>
  start(["--once", "--port", "0", "--chat-port", "0", "--data", folder, ...more]).end;

/** Runs lines one after another in a shell that has nothing but the real command line in place of pnpm's script. */
async function inSecondTerminal(lines: readonly string[], home: string): Promise<Finished[]> {
  const ends: Finished[] = [];
  for (const line of lines) {
    const typed = line.replace("npx -y pnpm@12 threadlore", `"${process.execPath}" "${THREADLORE}"`);
    const child = spawn("bash", ["-c", typed], {
      cwd: home,
      env: bareEnvironment(home),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    ends.push(await new Promise<Finished>((resolve) => child.once("close", (code) => resolve({ code, output }))));
  }
  return ends;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe("start, three times over the same folder", () => {
  const folder = temporaryFolder();

  it("goes from nothing to a cited answer, in plain lines where there is no terminal", async () => {
    const { code, output } = await once(folder);
    expect(code).toBe(0);
    expect(output).toContain("17 added.");
    expect(output).toContain("31 March");
    expect(output).toMatch(/Sources\n\[1\] /);
    expect(output).toContain("npx -y pnpm@12 threadlore ask");
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it("ingests nothing again the second time, and answers from the same data", async () => {
    const journal = readFileSync(join(folder, "ingested.jsonl"), "utf8");
    const second = await once(folder);
    expect(second.output).toContain("17 unchanged.");
    expect(second.output).toContain("31 March");
    expect(readFileSync(join(folder, "ingested.jsonl"), "utf8")).toBe(journal);
  });

  it("ingests again when the database is gone, whatever the journal says", async () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `threadlore.db${suffix}`), { force: true });
    const { code, output } = await once(folder);
    expect(code).toBe(0);
    expect(output).toContain("17 added.");
  });
});

describe("start", () => {
  it("stays up, is used by a second start, and ends in order on Ctrl-C", async () => {
    const folder = temporaryFolder();
    const first = start([...APART, "--data", folder]);
    await expect.poll(first.output).toContain("Ctrl-C stops everything");
    const second = await once(folder);
    expect(second.code).toBe(0);
    expect(second.output).toContain(", running already");
    expect(second.output).toContain("31 March");
    first.child.kill("SIGINT");
    const { code, output } = await first.end;
    expect(code).toBe(0);
    expect(output).toContain("What it knows is kept.");
  });

  it.each(["Adding the handbook", "? What happens", "Sources"])(
    "interrupted after %j, stops in order and begins again with all it has",
    async (words) => {
      const folder = temporaryFolder();
      const first = start([...APART, "--data", folder]);
      let interrupted = false;
      first.child.stdout?.on("data", () => {
        if (interrupted || !first.output().includes(words)) return;
        interrupted = first.child.kill("SIGINT");
      });
      const { output } = await first.end;
      expect(output).toMatch(/\nStopped\. What it knows is kept\.\n$/);
      expect(output).not.toMatch(/Error|at .*\.ts:/);
      const second = await once(folder);
      expect(second.code).toBe(0);
      expect(second.output).toMatch(/17 (added|unchanged)|\d+ added, \d+ (updated|unchanged)/);
      expect(second.output).toContain("31 March");
    },
  );

  it("says only what works when it is typed in a second terminal", async () => {
    const first = start([...APART, "--data", join(temporaryFolder(), "it's data")]);
    await expect.poll(first.output).toContain("Ctrl-C stops everything");
    const lines = first.output().match(/(?<=^ {2}).*pnpm@12 threadlore .*$/gm) ?? [];
    expect(lines).toHaveLength(5);
    const home = temporaryFolder();
    writeFileSync(join(home, "README.md"), "# Gate\n\nThe gate is painted green.\n");
    const codes = await inSecondTerminal(lines, home);
    expect(codes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(codes[0]?.output).toContain("clock skew");
    expect(codes[1]?.output).toContain("no seat");
    expect(codes[4]?.output).toContain("mcp install --client");
    first.child.kill("SIGINT");
    await first.end;
  });

  it("says what to do when the port is taken", async () => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { code, output } = await start(["--once", "--port", String(port), "--data", temporaryFolder()]).end;
    expect(code).toBe(2);
    expect(output).toContain(`Port ${port}`);
    expect(output).toContain(`start --port ${port + 1}`);
  });

  it("lets a model write the answer when the environment names one", async () => {
    const model = await startScriptedModel([{ text: "Up to 5 days are carried over, says the scripted model [1]." }]);
    try {
      const env = { MODEL_BASE_URL: model.url, MODEL_NAME: "scripted" };
      const { output } = await start(["--once", "--port", "0", "--chat-port", "0", "--data", temporaryFolder()], env)
        .end;
      expect(output).toContain("written by scripted");
      expect(output).toContain("says the scripted model");
      expect(JSON.stringify(model.chats[0]?.messages)).toContain("31 March");
    } finally {
      await model.close();
    }
  });

  it("says so when a model is wanted and none runs", async () => {
    const args = [
      "--once",
      "--port",
      "0",
      "--chat-port",
      "0",
      "--data",
      temporaryFolder(),
      "--model-name",
      "no-such-model",
    ];
    const { code, output } = await start(args).end;
    expect(code).toBe(2);
    expect(output).toContain("No such model runs here");
  });
});
