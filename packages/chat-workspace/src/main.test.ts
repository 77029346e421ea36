import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { afterThisTest } from "@threadlore/testkit";

function start(...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr.on("data", (text: Buffer) => (output += text.toString()));
  const end = new Promise<number | null>((resolve) => child.once("close", resolve));
  afterThisTest(async () => child.kill("SIGKILL"));
  return { child, end, output: () => output };
}

describe("the program", () => {
  it("says where the workspace is and what an app needs, and ends when told to", async () => {
    const { child, end, output } = start();
    await expect.poll(output).toContain("signing secret");
    const [, slackApiUrl, token] = /slackApiUrl +(\S+)[^]*bot token +(\S+)/.exec(output()) ?? [];
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${slackApiUrl}users.list`, { method: "POST", headers });
    expect(await answer.json()).toMatchObject({
      ok: true,
      members: [{ is_bot: true }, { real_name: "Ada Park" }, { real_name: "Ben Ortiz" }],
    });
    child.kill("SIGTERM");
    expect(await end).toBe(0);
  });

  it("says what is wrong with a port", async () => {
    const odd = start("--port", "many");
    expect(await odd.end).toBe(1);
    expect(odd.output()).toBe('--port takes a number from 0 to 65535, not "many".\n');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    afterThisTest(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    const taken = start("--port", String(port));
    expect(await taken.end).toBe(1);
    expect(taken.output()).toContain(`Port ${port} on this machine is taken by another program.`);
  });
});
