import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { runHere } from "../testing/in-process.ts";
import { argumentsForUnit } from "./install-options.ts";
import { serviceUnit, SYSTEM_PLACES } from "./service-unit.ts";

function placed() {
  const home = temporaryFolder();
  const paths = { data: join(home, "data"), settings: join(home, "etc/environment"), units: join(home, "units") };
  const options = [...Object.entries(paths).flatMap(([name, path]) => [`--${name}`, path]), "--account", "root"];
  const install = (more: readonly string[] = [], env: Record<string, string> = {}) =>
    runHere(["serve", "--install", ...options, ...more], { home, env });
  return { ...paths, home, install };
}

/** An account with no rights, which root can start the program as where the program lies in nobody's home. */
const NOBODY = 65_534;
const NOBODY_RUNS =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["-e", `require("node:fs").readFileSync(process.argv[1])`, import.meta.filename], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: "/",
  }).status === 0;

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("serve --install", () => {
  it("makes data, key and settings, tells the key once, and writes a unit that serves them", async () => {
    const { data, settings, units, home, install } = placed();
    const env = {
      MODEL_BASE_URL: "https://model.test/v1",
      MODEL_API_KEY: 'it\'s $a "key"',
      HTTPS_PROXY: "http://a:b@p.test",
      PATH: "/bin",
      THREADLORE_CA_FILE: "authority.pem",
    };
    const { code, stdout, stderr } = await install(["--write", "--port", "8500", "--limit=user=30/60"], env);
    expect(code, stderr).toBe(0);
    const key = readFileSync(join(data, "key"), "utf8").trim();
    expect(stdout).toBe(`${key}\n`);
    expect(stderr).not.toContain(key);
    expect([modeOf(data), modeOf(join(data, "key")), modeOf(settings)]).toEqual(["700", "600", "600"]);
    const unit = readFileSync(join(units, "threadlore.service"), "utf8");
    expect(unit).toMatch(
      new RegExp(`^ExecStart=\\S+ \\S+/cli/src/main\\.ts serve --data ${data} --port 8500 --limit=user=30/60$`, "m"),
    );
    expect(unit).toContain(`EnvironmentFile=-${settings}\n`);
    expect(unit).toContain(`ReadWritePaths=${data}\n`);
    // What is secret stands where only its owner reads it.
    expect(unit + stderr).not.toMatch(/\$a|a:b/);
    const kept = readFileSync(settings, "utf8");
    expect(kept).toContain("MODEL_BASE_URL=https://model.test/v1\n");
    expect(kept).toContain(`THREADLORE_CA_FILE=${join(home, "authority.pem")}\n`);
    expect(kept).not.toContain("PATH=");

    const again = await install([], { MODEL_NAME: "scripted" });
    expect(again.stdout).toBe(serviceUnit({ account: "root", data, settings, units }, []));
    expect(again.stderr).toContain(`in ${join(data, "key")}, made before`);
    expect(readFileSync(settings, "utf8")).toContain("MODEL_NAME=scripted\n");
    expect(readFileSync(settings, "utf8")).toContain("MODEL_BASE_URL=https://model.test/v1\n");
    expect(readFileSync(join(data, "key"), "utf8").trim()).toBe(key);
  });

  it(
    "has the account itself make what is its own, and gives it nothing that lies there",
    { skip: !NOBODY_RUNS },
    async () => {
      const { data, install, home } = placed();
      chmodSync(home, 0o711);
      mkdirSync(join(data, "sub"), { recursive: true });
      writeFileSync(join(data, "sub", "shadow"), "root's");
      const told = await install(["--account", "nobody"]);
      expect(told.code, told.stderr).toBe(0);
      const ownerOfFile = (...path: string[]): number => statSync(join(data, ...path)).uid;
      expect([ownerOfFile(), ownerOfFile("key"), ownerOfFile("threadlore.db")]).toEqual([NOBODY, NOBODY, NOBODY]);
      expect(ownerOfFile("sub", "shadow")).toBe(0);
      // A link in place of a file is followed with the account's rights only.
      writeFileSync(join(home, "secret"), "root's", { mode: 0o600 });
      rmSync(join(data, "key"));
      rmSync(join(data, "threadlore.db"));
      symlinkSync(join(home, "secret"), join(data, "threadlore.db"));
      const again = await install(["--account", "nobody"]);
      expect(again.code).toBe(2);
      expect(again.stderr).toContain(`sudo chown -R nobody: ${data}`);
      expect(readFileSync(join(home, "secret"), "utf8")).toBe("root's");
    },
  );

  it("gives no folder away that is a link", { skip: !NOBODY_RUNS }, async () => {
    const { data, install, home } = placed();
    mkdirSync(join(home, "etc"));
    symlinkSync(join(home, "etc"), data);
    expect(await install(["--account", "nobody"])).toMatchObject({ code: 2 });
    expect(statSync(join(home, "etc")).uid).toBe(0);
  });

  it("makes the key in the database that DATABASE_URL names", async () => {
    const { data, install } = placed();
    const { code, stdout, stderr } = await install([], { DATABASE_URL: "postgres://u:canary@127.0.0.1:1/none" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("127.0.0.1");
    expect(stderr).not.toContain("canary");
    expect(existsSync(join(data, "key"))).toBe(false);
  });

  it("says what to do where a folder cannot be made", async () => {
    const { home, install } = placed();
    writeFileSync(join(home, "etc"), "");
    const { code, stderr } = await install();
    expect(code).toBe(2);
    expect(stderr).toContain("cannot be written (EEXIST). Run it with sudo, or name folders of your own");
  });

  it("gives the unit what else serve is told, and nothing that is its own", () => {
    expect(
      argumentsForUnit([
        "serve",
        "--install",
        "--port",
        "1",
        "--account",
        "ada",
        "--anonymous",
        "--data=/x",
        "--settings",
        "/s",
        "--write",
        "--listen",
        "0.0.0.0:443",
      ]),
    ).toEqual(["--port", "1", "--anonymous", "--listen", "0.0.0.0:443"]);
  });

  it("prints for root, in /opt/threadlore, the unit of this repository", () => {
    const program = { node: "/usr/bin/node", start: "/opt/threadlore/packages/cli/src/main.ts" };
    expect(serviceUnit(SYSTEM_PLACES, [], program)).toBe(
      readFileSync(join(repositoryRoot, "deploy/threadlore.service"), "utf8"),
    );
  });
});
