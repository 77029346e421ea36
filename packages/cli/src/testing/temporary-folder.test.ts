import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newHome, runCli } from "./spawn-cli.ts";
import { removeTemporaryFolders } from "./temporary-folder.ts";

const SOURCES = join(import.meta.dirname, "..");
const ALLOWED = "testing/temporary-folder.ts";

describe("temporary folders of the tests", () => {
  it("are removed with all that commands left in them", async () => {
    const home = newHome();
    await runCli(["ask", "q"], { home });
    writeFileSync(join(home.folder, "left.txt"), "x");
    removeTemporaryFolders();
    expect(existsSync(home.folder)).toBe(false);
  });

  it("are made in one place, which removes them", () => {
    const makers = [SOURCES, join(SOURCES, "../../demo/src")].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(test|long)\.ts$|^testing\//.test(name) && !name.startsWith(ALLOWED.slice(0, -3)))
        .filter((name) => /\bmkdtemp/.test(readFileSync(join(folder, name), "utf8"))),
    );
    expect(makers).toEqual([]);
  });
});
