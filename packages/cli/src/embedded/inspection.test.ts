import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createService } from "@threadlore/service";
import { describe, expect, it } from "vitest";
import { runIn } from "../testing/in-process.ts";
import { newHome, runCli } from "../testing/spawn-cli.ts";
import { startEmbedded } from "../testing/embedded-service.ts";

describe("doctor --data", () => {
  it("looks at the data where no service runs, and says what is wrong with database and index", async () => {
    const home = newHome();
    const data = join(home.folder, "data");
    mkdirSync(data);
    const database = join(data, "threadlore.db");
    const empty = await runIn(home, ["doctor", "--data", "data"]);
    expect([empty.code, empty.stdout]).toEqual([
      11,
      expect.stringMatching(/^fix {2}database: There is no database at/m),
    ]);
    const service = createService({ database, apiKey: "tl_TESTdoctor00" });
    await service.drain();
    await service.close();
    const sound = await runIn(home, ["doctor", "--data", "data"]);
    expect(sound.code).toBe(0);
    expect(sound.stdout).toMatch(/^\? {4}service: None runs on the data in .*\n {5}`threadlore serve --data/m);
    expect(sound.stdout).toMatch(/^ok {3}database: It is sound, with 0 documents\.$/m);
    expect(sound.stdout).toMatch(/^ok {3}search index: It is sound, and has everything\.$/m);
    rmSync(`${database}.search.sqlite`);
    const missing = await runIn(home, ["doctor", "--data", "data"]);
    expect(missing.stdout).toMatch(/^\? {4}search index: It is made anew at the next start/m);
    writeFileSync(database, "x".repeat(9_000));
    expect((await runIn(home, ["doctor", "--data", "data"])).code).toBe(11);
  });

  it("looks at both, the service and its data, where one runs", async () => {
    const { home, stop } = await startEmbedded();
    const { stdout, code } = await runCli(["doctor", "--data", ".local/share/threadlore"], { home });
    await stop();
    expect(stdout).toMatch(/^ok {3}base URL: /m);
    expect(stdout).toMatch(/^ok {3}search index: /m);
    expect(code).toBe(0);
  });
});
