import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { startServing } from "../../../embedded/serving.ts";
import { newHome, runCli } from "../../../testing/spawn-cli.ts";
import { writeLargeExport } from "./large-export.harness.ts";

describe("an export of Slack of a million messages", () => {
  it("in 300 channels and 66,000 files goes through with 350 MB for all that is kept", async () => {
    const data = temporaryFolder();
    const serving = await startServing({ folder: data, port: 0, log: () => {} });
    const home = newHome();
    writeLargeExport(join(home.folder, "big.zip"), { channels: 300, days: 220, perDay: 16 });
    const run = await runCli(["ingest", "--data", data, "--pair", "1", "--export", "slack", "--dry-run", "big.zip"], {
      home,
      env: { NODE_OPTIONS: "--max-old-space-size=350" },
    });
    await serving.close();
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("300 channels, 66000 days of messages") });
    const lines = run.stdout.trimEnd().split("\n");
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.length).toBeGreaterThan(200_000);
  });
});
