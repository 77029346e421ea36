import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newHome } from "./testing/spawn-cli.ts";

/** Prints at the end of the process the address of every module it loaded. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ load: (url, context, next) => (console.log("loaded " + url), next(url, context)) });
`)}`;

function loadedBy(...args: string[]): string[] {
  const { folder, env } = newHome();
  const output = execFileSync(process.execPath, ["--import", WATCH, join(import.meta.dirname, "main.ts"), ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return [...output.matchAll(/^loaded (.*)$/gm)].map(([, url = ""]) => url);
}

describe("what a command loads", () => {
  it("is what it needs: asking loads neither the service nor the readers of documents", () => {
    const loaded = loadedBy("ask", "--help");
    expect(loaded.some((url) => url.includes("packages/client/"))).toBe(true);
    const heavy = /packages\/(service|documents)\/|node_modules\/(hono|openai|unpdf|linkedom|@hono)\//;
    expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
  });

  it("is what it needs: no reader of config files before there is one to edit", () => {
    const readers = /node_modules\/(jsonc-parser|smol-toml|yaml|@modelcontextprotocol)\//;
    expect(loadedBy("mcp", "install").filter((url) => readers.test(url))).toEqual([]);
    const loaded = loadedBy("mcp", "install", "--client", "codex", "--dry-run");
    expect(new Set(loaded.flatMap((url) => readers.exec(url)?.[1] ?? []))).toEqual(new Set(["smol-toml"]));
  });
});
