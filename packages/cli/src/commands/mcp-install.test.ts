import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterThisTest, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { ASSISTANTS } from "../assistants/known-assistants.ts";
import { expandedPath, fileOf } from "../assistants/places.ts";
import { startEmbedded } from "../testing/embedded-service.ts";
import { runHere } from "../testing/in-process.ts";
import { newHome } from "../testing/spawn-cli.ts";

/** A home, a folder to stand in, and the command line there. */
function person(env: Readonly<Record<string, string>> = {}) {
  const home = join(realpathSync(temporaryFolder()), "Ada 家 O'Neil");
  const folder = join(home, "a project");
  mkdirSync(folder, { recursive: true });
  return {
    home,
    folder,
    mcp: (...args: string[]) => runHere(["mcp", ...args], { home, folder, env }),
    /** Writes a file below the home. */
    write(path: string, text: string): string {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}

const read = (path: string): string => readFileSync(path, "utf8");

describe("threadlore mcp install", () => {
  it.each(ASSISTANTS.map(({ id }) => id))("gives %s the tools, once, and takes them back", async (id) => {
    const { home, folder, mcp } = person();
    const assistant = ASSISTANTS.find((one) => one.id === id);
    if (assistant === undefined) throw new Error(id);
    const file = await fileOf(assistant, { env: { HOME: home }, folder });
    const dry = await mcp("install", "--client", id, "--dry-run");
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(`--- /dev/null\n+++ ${file}\n+`) });
    expect(existsSync(file)).toBe(false);

    const first = await mcp("install", "--client", id);
    expect(first.stderr).toContain(`${assistant.name} has the tools of threadlore now: ${file}`);
    expect(first.stderr).toContain(assistant.next);
    const text = read(file);
    expect(dry.stdout.split("\n").flatMap((line) => (line.startsWith("+") ? [line.slice(1)] : []))).toEqual([
      `++ ${file}`,
      ...text.trimEnd().split("\n"),
    ]);
    expect(text).toContain(join(import.meta.dirname, "../main.ts"));

    const second = await mcp("install", "--client", id);
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining("has the tools of threadlore already") });
    expect(read(file)).toBe(text);
    expect(readdirSync(dirname(file)).filter((name) => name.includes("threadlore."))).toEqual(
      id === "continue" ? ["threadlore.json"] : [],
    );

    expect((await mcp("uninstall", "--client", id, "--dry-run")).stdout).toContain("threadlore");
    expect(read(file)).toBe(text);
    const gone = await mcp("uninstall", "--client", id);
    expect(gone).toMatchObject({ code: 0, stderr: expect.stringContaining("has the tools of threadlore no more") });
    // A file that is there for our entry alone goes with it.
    expect(existsSync(file)).toBe(id !== "continue");
    expect(existsSync(file) && read(file).includes("threadlore")).toBe(false);
    const again = await mcp("uninstall", "--client", id);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("does not have the tools") });
  });

  it("keeps all else of a file, and what was there beside it", async () => {
    const { mcp, write } = person();
    const before =
      '// of mine\n{\n\t"theme": "dark", // always\n\t"context_servers": {\n\t\t"a": { "env": { "KEY": "sk-1" } } // a\n\t},\n}\n';
    const file = write(".config/zed/settings.json", before);
    chmodSync(file, 0o640);
    const { entry } = JSON.parse((await mcp("install", "--client", "zed", "--dry-run", "--json")).stdout) as {
      entry: unknown;
    };
    const { stderr } = await mcp("install", "--client", "zed");
    expect(stderr).toContain(`What was there before is in ${file}.before-threadlore.`);
    expect(read(`${file}.before-threadlore`)).toBe(before);
    const added = `"threadlore": ${JSON.stringify(entry, undefined, "\t")}`.replaceAll(/^/gm, "\t\t");
    expect(read(file)).toBe(before.replace(" } // a\n", ` }, // a\n${added}\n`));
    await mcp("uninstall", "--client", "zed");
    expect(read(file)).toBe(before);
  });

  it("lists what is found here, and with --json all that is known", async () => {
    const { home, mcp } = person();
    expect((await mcp("install")).stdout).toMatch(/^None was found on this machine\./);
    mkdirSync(join(home, ".cursor"));
    const { stdout, stderr, code } = await mcp("install");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Found on this machine:\ncursor {2}Cursor {2}.*\.cursor\/mcp\.json\n\nKnown besides:\n/);
    expect(stderr).toBe("Give one of them the tools: `threadlore mcp install --client cursor`.\n");
    const { entries } = JSON.parse((await mcp("install", "--json")).stdout) as {
      entries: { client: string; found: boolean }[];
    };
    expect(entries.map(({ client }) => client)).toEqual(ASSISTANTS.map(({ id }) => id));
    expect(entries.filter(({ found }) => found)).toEqual([expect.objectContaining({ client: "cursor" })]);
  });

  it("knows no other, and says which it knows", async () => {
    const { code, stderr } = await person().mcp("install", "--client", "emacs");
    expect(code).toBe(2);
    for (const { id } of ASSISTANTS) expect(stderr).toContain(id);
    expect(stderr).toContain("--print");
  });

  it("prints the entry for whoever adds it by hand, and leaves the file alone", async () => {
    const { home, mcp } = person();
    const { stdout, stderr } = await mcp("install", "--client", "codex", "--print", "--url", "https://kb.example.com");
    expect(stdout).toMatch(
      /^\[mcp_servers\.threadlore\]\ncommand = "\/.*"\nargs = \[.*, "mcp", "--url", "https:.*"\]\n$/,
    );
    expect(stderr).toContain(".codex/config.toml");
    expect(existsSync(join(home, ".codex"))).toBe(false);
  });

  it("leaves a broken file as it is, and says where it is broken", async () => {
    const { mcp, write } = person();
    const file = write(".cursor/mcp.json", '{\n  "mcpServers": {\n    "a": {}\n    "b": {}\n  }\n}\n');
    const before = read(file);
    const { code, stderr } = await mcp("install", "--client", "cursor");
    expect(code).toBe(2);
    expect(stderr).toBe(
      `Nothing was changed. ${file}, the file of Cursor, was left as it is: line 4, column 5 is no JSON (comma expected).\n` +
        "Put that right and run the command again, or add by hand what it prints with --print.\n",
    );
    expect(read(file)).toBe(before);
    expect(readdirSync(dirname(file))).toEqual(["mcp.json"]);
    const json = JSON.parse((await mcp("install", "--client", "cursor", "--json")).stdout) as unknown;
    expect(json).toMatchObject({ ok: false, exit_code: 2, error: { message: expect.stringContaining("line 4") } });
  });

  it("is not led out of a project by a link that lies in it", async () => {
    const { folder, mcp, write } = person();
    const file = write("outside.json", "{}");
    mkdirSync(join(folder, ".vscode"));
    symlinkSync(file, join(folder, ".vscode/mcp.json"));
    const { code, stderr } = await mcp("install", "--client", "vscode-project");
    expect(code).toBe(2);
    expect(stderr).toContain("leads out of this folder");
    expect(read(file)).toBe("{}");
  });

  it("is not led out of a project by a link to a folder, where its file is not there yet", async () => {
    const { home, folder, mcp } = person();
    mkdirSync(join(home, "outside"));
    symlinkSync(join(home, "outside"), join(folder, ".vscode"));
    const { code, stderr } = await mcp("install", "--client", "vscode-project");
    expect(code).toBe(2);
    expect(stderr).toContain("leads out of this folder");
    expect(readdirSync(join(home, "outside"))).toEqual([]);
    mkdirSync(join(folder, "settings"));
    symlinkSync("settings", join(folder, ".cursor"));
    expect((await mcp("install", "--client", "cursor-project")).code).toBe(0);
    expect(readdirSync(join(folder, "settings"))).toEqual(["mcp.json"]);
  });

  it.each([
    [
      "the last entry of a list, which gets a comma",
      '{\n  "mcpServers": {\n    "gh": { "command": "x", "env": { "TOKEN": "ghp_secret" } }\n  }\n}\n',
    ],
    ["a file of one line", '{"mcpServers":{"gh":{"command":"x","env":{"TOKEN":"ghp_secret"}}},"apiKey":"sk_secret"}'],
    [
      "an entry of ours by address",
      '{\n  "mcpServers": {\n    "threadlore": {\n      "url": "http://127.0.0.1:8411/mcp",\n' +
        '      "headers": { "Authorization": "Bearer tl_secret" },\n      "args": ["--key=tl_secret", "mcp"]\n    }\n  }\n}\n',
    ],
  ])("shows nothing of %s that may be a key", async (_, text) => {
    const { mcp, write } = person();
    write(".cursor/mcp.json", text);
    const said: string[] = [];
    for (const args of [["--dry-run"], ["--dry-run", "--json"], ["--json"]]) {
      const { stdout, stderr } = await mcp("install", "--client", "cursor", ...args);
      expect(stdout).toContain("threadlore");
      said.push(stdout, stderr);
    }
    for (const args of [["--dry-run"], ["--json"]]) {
      const { stdout, stderr } = await mcp("uninstall", "--client", "cursor", ...args);
      expect(stdout).toContain("threadlore");
      said.push(stdout, stderr);
    }
    expect(said.join("")).not.toContain("secret");
    expect(said.join("")).not.toContain('"gh');
  });

  it("shows of an entry that is replaced which keys it had, and the values that are written anew", async () => {
    const { mcp, write } = person();
    const servers = { threadlore: { headers: { Authorization: "Bearer tl_secret" }, command: "node" } };
    write(".cursor/mcp.json", JSON.stringify({ mcpServers: servers }));
    const { stdout } = await mcp("install", "--client", "cursor", "--dry-run");
    expect(stdout).toContain('-        "Authorization": "…"\n');
    expect(stdout).toMatch(/^\+ {6}"command": "\//m);
  });

  it("leaves to a file of its own what somebody else wrote into it", async () => {
    const { mcp, home } = person();
    const file = join(home, ".continue/mcpServers/threadlore.json");
    await mcp("install", "--client", "continue");
    const text = read(file);
    writeFileSync(file, text.replace('"mcpServers": {', '"mcpServers": {\n    "gh": { "command": "x" },'));
    expect((await mcp("uninstall", "--client", "continue", "--dry-run")).stdout).toContain(`+++ ${file}\n`);
    expect((await mcp("uninstall", "--client", "continue")).code).toBe(0);
    expect(JSON.parse(read(file))).toEqual({ mcpServers: { gh: { command: "x" } } });
    writeFileSync(file, `// mine\n${text}`);
    await mcp("uninstall", "--client", "continue");
    expect(read(file)).toContain("// mine");
  });
});

/** What a program says to these requests that was started as an editor starts it: with its entry, elsewhere, and no PATH. */
async function conversation(
  { command, args, env }: { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> },
  requests: readonly { readonly method: string; readonly params: unknown }[],
): Promise<unknown[]> {
  const child = spawn(command, [...args], {
    cwd: "/",
    env: { HOME: "/nowhere", PATH: "", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  afterThisTest(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const hear = async (id: number): Promise<unknown> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error("it ended");
      const message = JSON.parse(value) as { id?: number };
      if (message.id === id) return message;
    }
  };
  const clientInfo = { name: "an editor", version: "1" };
  say({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  await hear(0);
  say({ method: "notifications/initialized" });
  const answers: unknown[] = [];
  for (const [index, request] of requests.entries()) {
    say({ id: index + 1, ...request });
    answers.push(await hear(index + 1));
  }
  child.stdin.end();
  return answers;
}

describe("the tools an assistant starts", () => {
  interface Installed {
    readonly server: string | null;
    readonly entry: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env?: Record<string, string>;
    };
  }

  async function installed({ mcp }: ReturnType<typeof person>, ...args: string[]): Promise<Installed> {
    return JSON.parse((await mcp("install", "--client", "cursor", "--json", ...args)).stdout) as Installed;
  }

  it("find the service of the folder they were installed from, started elsewhere with nothing on the PATH", async () => {
    const ada = person();
    const home = { ...newHome(), folder: ada.folder };
    await startEmbedded(home, ["--data", join(ada.folder, ".threadlore")]);
    await runHere(["ingest", "--pair", "none", "--title", "Leave", "-"], {
      home: ada.home,
      folder: ada.folder,
      input: "Everyone has 27 days of leave a year.",
    });
    const { entry } = await installed(ada);
    const answers = await conversation(entry, [
      { method: "tools/list", params: {} },
      { method: "tools/call", params: { name: "search", arguments: { query: "days of leave" } } },
    ]);
    expect(answers[0]).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: "ask" })]) },
    });
    expect(JSON.stringify(answers[1])).toContain("27 days of leave");
  });

  it("are started from any folder, with nothing on the PATH", async () => {
    const { entry } = await installed(person());
    const said = execFileSync(entry.command, [...entry.args, "--help"], {
      cwd: "/",
      env: { PATH: "" },
      encoding: "utf8",
    });
    expect(said).toMatch(/^Usage: threadlore mcp /);
  });

  it("put what they add under the pair that is named", async () => {
    const { entry } = await installed(person(), "--pair", "3");
    expect(entry.args.slice(1)).toEqual(["mcp", "--pair", "3"]);
  });

  it("ask the server that is named", async () => {
    const ada = person();
    expect((await installed(ada, "--url", "https://kb.example.com/api")).entry.args.slice(1)).toEqual([
      "mcp",
      "--url",
      "https://kb.example.com/api",
    ]);
    const { entry, server } = await installed(ada, "--data", "data of mine");
    expect(entry.args.slice(1)).toEqual(["mcp", "--data", join(ada.folder, "data of mine")]);
    expect(server).toBe(`Embedded service on the data in ${join(ada.folder, "data of mine")}`);
  });

  it("ask the service of the folder one stands in, which they do not stand in", async () => {
    const ada = person();
    mkdirSync(join(ada.home, ".threadlore"));
    writeFileSync(join(ada.home, ".threadlore/key"), "key");
    expect((await installed(ada)).entry.args.slice(1)).toEqual(["mcp", "--data", join(ada.home, ".threadlore")]);
  });

  it("find by themselves the server that was logged in to, and the service of one's own data", async () => {
    const ada = person();
    const own = expandedPath("~/.local/share/threadlore", { env: { HOME: ada.home }, folder: ada.folder });
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "key"), "key");
    expect((await installed(ada)).entry.args.slice(1)).toEqual(["mcp"]);
    const servers = { "https://kb.example.com": { apiKey: "secret-key" } };
    ada.write(".config/threadlore/config.json", JSON.stringify({ current: "https://kb.example.com", servers }));
    const { entry, server } = await installed(ada);
    expect(entry.args.slice(1)).toEqual(["mcp"]);
    expect(server).toBe("Server https://kb.example.com (logged in)");
  });

  it("get no key into their file, and it is said where they find none", async () => {
    const ada = person({ THREADLORE_URL: "https://kb.example.com", THREADLORE_API_KEY: "secret-key" });
    const { stderr } = await ada.mcp("install", "--client", "cursor");
    expect(stderr).toContain("The key in THREADLORE_API_KEY was not written down.");
    expect(read(join(ada.home, ".cursor/mcp.json"))).not.toContain("secret-key");
    expect(read(join(ada.home, ".cursor/mcp.json"))).toContain("https://kb.example.com");
  });

  it("wait for a server, where there is none yet", async () => {
    const { stderr } = await person().mcp("install", "--client", "cursor");
    expect(stderr).toContain("No server is configured yet.");
  });

  it.each([
    [["--url", "https://a.example.com", "--data", "d"], /name two servers/],
    [["--url", "knowledge"], /is not a web address/],
    [["--pair", "two"], /pair/],
    [["--url", "https://ada:secret@kb.example.com"], /carries a user name or password/],
  ])("are not installed for %j", async (args, why) => {
    const { home, mcp } = person();
    const { code, stderr } = await mcp("install", "--client", "cursor", ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(why);
    expect(existsSync(join(home, ".cursor"))).toBe(false);
  });
});
