import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXIT_CODES } from "../exit-codes.ts";
import { newHome, runCli } from "../testing/spawn-cli.ts";

it(
  "says of a service that is paused that it does not answer, and asks it once it goes on",
  { timeout: 60_000 },
  async () => {
    const home = newHome();
    const data = join(home.folder, ".threadlore");
    const { promise: listens, resolve } = Promise.withResolvers<ChildProcess>();
    const served = runCli(["serve", "--data", data, "--port", "0"], {
      home,
      onStart(child) {
        const hear = (text: Buffer): void => {
          if (text.includes("listens on")) resolve(child);
        };
        child.stdout?.on("data", hear);
        child.stderr?.on("data", hear);
      },
    });
    const service = await listens;
    try {
      service.kill("SIGSTOP");
      const { code, stderr } = await runCli(["ask", "Where is the key?"], { home });
      expect(stderr).toContain(`The service of ${data} does not answer at http://127.0.0.1:`);
      expect(stderr).toContain(`its process ${service.pid} is there: it is paused`);
      expect(stderr).not.toContain("No server is configured");
      expect(code).toBe(EXIT_CODES.unavailable.code);
    } finally {
      service.kill("SIGCONT");
    }
    const asked = await runCli(["ask", "Where is the key?"], { home });
    expect(asked.stderr).not.toContain("does not answer");
    expect(asked.stdout).toContain("I found nothing");
    service.kill("SIGTERM");
    await served;
  },
);
