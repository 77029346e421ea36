import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSilentServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { announce, dataFiles, type DataFiles, findRunningService, findService, ownedFiles } from "./embedded.ts";
import type { Terminal } from "../terminal/output.ts";
import { temporaryFolder } from "@threadlore/testkit";

let server: Server;
let url = "";
const keys: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** A project whose `.threadlore` says that a service runs. */
async function newProject(): Promise<{ folder: string; files: DataFiles }> {
  const folder = temporaryFolder();
  const files = dataFiles(join(folder, ".threadlore"));
  await announce(files, url);
  writeFileSync(files.key, "tl_TESTkey\n", { mode: 0o600 });
  return { folder, files };
}

const find = (folder: string) => {
  const terminal: Pick<Terminal, "folder" | "env"> = { folder, env: { HOME: join(folder, "no-home") } };
  return findRunningService(terminal);
};

describe("findRunningService", () => {
  it("finds the service of this folder or of one above it, and sends no key while looking", async () => {
    const { folder, files } = await newProject();
    const inner = join(folder, "a", "b");
    mkdirSync(inner, { recursive: true });
    const expected = { url, apiKey: "tl_TESTkey", files };
    expect(await find(folder)).toEqual(expected);
    expect(await find(inner)).toEqual(expected);
    expect(keys.filter((key) => key !== undefined)).toEqual([]);
  });

  it("finds none whose process is gone, although something answers at its port", async () => {
    const { folder, files } = await newProject();
    writeFileSync(files.running, JSON.stringify({ url, pid: 2 ** 22 + 1 }));
    expect(await find(folder)).toBeUndefined();
  });

  it.each(["http://evil.test:80", "http://127.0.0.1.evil.test:80", "https://127.0.0.1:1", "file:///etc/passwd"])(
    "follows no announcement that leads to %s",
    async (elsewhere) => {
      const { folder, files } = await newProject();
      await announce(files, elsewhere);
      expect(await find(folder)).toBeUndefined();
    },
  );

  it("follows no announcement through a link", async () => {
    const { files } = await newProject();
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".threadlore"));
    symlinkSync(files.key, join(folder, ".threadlore/key"));
    symlinkSync(files.running, join(folder, ".threadlore/running.json"));
    expect(await find(folder)).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)("follows no announcement another person wrote", async () => {
    const { folder, files } = await newProject();
    chownSync(files.running, 65_534, 65_534);
    expect(await find(folder)).toBeUndefined();
  });
});

describe("a service whose process is there and which does not answer", () => {
  it("is told from one that is not there, and its data is what the owner's commands work on", async () => {
    const { folder, files } = await newProject();
    const silent = createSilentServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await announce(files, at);
    const terminal = { folder, env: { HOME: join(folder, "no-home") } };
    expect(await findService(terminal)).toEqual({ url: at, pid: process.pid, files, isSilent: true });
    expect(await findRunningService(terminal)).toBeUndefined();
    expect(await ownedFiles(terminal)).toEqual(files);
    silent.close();
    expect(await findService(terminal)).toBeUndefined();
  });
});
