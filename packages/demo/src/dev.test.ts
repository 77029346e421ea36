import { spawn } from "node:child_process";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { expect, it, onTestFinished, vi } from "vitest";
import { bareEnvironment } from "./testing/bare-environment.ts";

it("runs service, bot, chat page and extension, begins anew when a source changes, and ends whole", async () => {
  const home = temporaryFolder();
  const args = ["--port", "0", "--chat-port", "0", "--data", join(home, "data")];
  const child = spawn(process.execPath, [join(import.meta.dirname, "dev.ts"), ...args], {
    cwd: home,
    env: bareEnvironment(home),
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that a failed test takes what `dev` began with it.
    detached: true,
  });
  onTestFinished(() => void (child.exitCode ?? process.kill(-Number(child.pid), "SIGKILL")));
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr.on("data", (text: Buffer) => (output += text.toString()));
  const closed = new Promise((resolve) => child.once("close", resolve));
  const says = (pattern: RegExp) => vi.waitFor(() => expect(output).toMatch(pattern), { timeout: 80_000 });

  await says(/Built extension/);
  await says(/17 added\.[\s\S]+Sources\n\[1\] [\s\S]+Talk to it in a channel: http/);

  const now = new Date();
  utimesSync(join(import.meta.dirname, "demonstration.ts"), now, now);
  await says(/Stopped\.[\s\S]+17 unchanged\.[\s\S]+Talk to it in a channel: http/);

  child.kill("SIGINT");
  // Nothing that it began still holds its output open.
  expect(await closed).toBe(0);
}, 180_000);
