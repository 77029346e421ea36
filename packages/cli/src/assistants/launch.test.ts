import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { launchOf, running } from "./launch.ts";

const HERE = running("1.2.3", {});

describe("the command that starts the tools", () => {
  it("is this Node and this program, by absolute paths", async () => {
    const { command, args, env } = await launchOf(HERE, ["--data", "/d"], {});
    expect(realpathSync(command)).toBe(realpathSync(process.execPath));
    expect(args).toEqual([join(import.meta.dirname, "../main.ts"), "mcp", "--data", "/d"]);
    expect(env).toEqual({});
  });

  // Without rights of an administrator Windows makes no links.
  it.skipIf(process.platform === "win32")(
    "takes a path of Node that stays when Node gets newer, where there is one",
    async () => {
      const folder = realpathSync(temporaryFolder());
      const node = join(folder, "Cellar/node@24/24.1.0/bin/node");
      mkdirSync(join(folder, "Cellar/node@24/24.1.0/bin"), { recursive: true });
      writeFileSync(node, "");
      expect((await launchOf({ ...HERE, node, program: "/p/main.js" }, [], {})).command).toBe(node);
      mkdirSync(join(folder, "opt"));
      symlinkSync("../Cellar/node@24/24.1.0", join(folder, "opt/node@24"));
      expect((await launchOf({ ...HERE, node, program: "/p/main.js" }, [], {})).command).toBe(
        join(folder, "opt/node@24/bin/node"),
      );
      const linked = join(folder, "clone/node_modules/node");
      mkdirSync(join(folder, "clone/node_modules"), { recursive: true });
      symlinkSync("../../Cellar/node@24/24.1.0", linked);
      const inClone = { ...HERE, node, program: join(folder, "clone/packages/cli/src/main.ts") };
      expect((await launchOf({ ...inClone, node: realpathSync(node) }, [], {})).command).toBe(
        join(folder, "opt/node@24/bin/node"),
      );
      const elsewhere = join(folder, "versions/24/bin/node");
      mkdirSync(join(folder, "versions/24/bin"), { recursive: true });
      writeFileSync(elsewhere, "");
      expect((await launchOf({ ...inClone, node: elsewhere }, [], {})).command).toBe(elsewhere);
    },
  );

  it("asks npx again where npx runs it from its cache, with a PATH on which that finds Node", async () => {
    const cached = { ...HERE, node: "/n/bin/node", program: "/c/_npx/0a/node_modules/@threadlore/cli/dist/start.cjs" };
    const npm = running("1.2.3", { npm_execpath: "/n/lib/npm/bin/npm-cli.js" }).npm;
    const { command, args, env } = await launchOf({ ...cached, npm }, ["--url", "https://kb.example.com"], {});
    expect([command, ...args]).toEqual([
      "/n/bin/node",
      "/n/lib/npm/bin/npm-cli.js",
      "exec",
      "--yes",
      "--",
      "@threadlore/cli@1.2.3",
      "mcp",
      "--url",
      "https://kb.example.com",
    ]);
    expect(env["PATH"]).toMatch(/^\/n\/bin[:;]?/);
    expect(running("1.2.3", { npm_execpath: "/opt/pnpm/bin/pnpm.cjs" }).npm).toBeUndefined();
  });

  it("takes along what leads to the settings, and no key", async () => {
    const { env } = await launchOf(HERE, [], {
      XDG_CONFIG_HOME: "/c",
      XDG_STATE_HOME: "",
      THREADLORE_ALLOW_HTTP: "1",
      THREADLORE_API_KEY: "secret",
      PATH: "/bin",
    });
    expect(env).toEqual({ XDG_CONFIG_HOME: "/c", THREADLORE_ALLOW_HTTP: "1" });
  });
});
