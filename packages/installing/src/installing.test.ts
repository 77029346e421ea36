import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { InstallError, lentFile, privateFile, privateFolder } from "./places.ts";
import { secretIn } from "./secret-file.ts";
import { settingsText } from "./settings-text.ts";
import { type UnitOptions, unitText } from "./unit.ts";

const UNIT: UnitOptions = {
  description: "A program",
  account: "program",
  command: ["/usr/bin/node", "/opt/program/start.cjs"],
  folder: "/opt/program",
  settings: "/etc/program/environment",
  state: "/var/lib/program",
  finalCodes: [2, 11],
  stopSeconds: 60,
};
const lines = (unit: string): string[] => unit.split("\n");

describe("a unit", () => {
  it("has systemd make the folder where it keeps such folders, and may write to it where it does not", () => {
    expect(lines(unitText(UNIT))).toEqual(expect.arrayContaining(["StateDirectory=program", "ProtectHome=yes"]));
    const elsewhere = lines(unitText({ ...UNIT, state: "/srv/pro gram" }));
    expect(elsewhere).toContain('ReadWritePaths="/srv/pro gram"');
    expect(elsewhere.join("\n")).not.toContain("StateDirectory");
  });

  it("lets homes be seen only where the program or its data lie in one", () => {
    expect(lines(unitText({ ...UNIT, state: join("/home", "ada", "data") }))).toContain("ProtectHome=read-only");
    expect(lines(unitText({ ...UNIT, folder: join("/root", "program") }))).toContain("ProtectHome=read-only");
    expect(lines(unitText({ ...UNIT, folder: "/homestead" }))).toContain("ProtectHome=yes");
  });

  it("says words to systemd as they are, whatever they hold", () => {
    const command = ["/usr/bin/node", "/opt/a b/100%.ts", "$HOME", 'say "hi"\\', "plain-1:2=3,4@x+y"];
    expect(lines(unitText({ ...UNIT, command }))).toContain(
      'ExecStart=/usr/bin/node "/opt/a b/100%%.ts" $$HOME "say \\"hi\\"\\\\" plain-1:2=3,4@x+y',
    );
    expect(lines(unitText(UNIT))).toContain("RestartPreventExitStatus=2 11");
  });
});

it.each([
  "plain",
  "two words",
  "it's",
  'a "quote"',
  "#no-comment",
  "a=b",
  "$HOME",
  "http://a:b%40c@p.test:1/",
  "",
  " blank ",
])("a setting with the value %j is read as it was", (value) => {
  expect(parseEnv(settingsText({ ONE: value, TWO: "2" }, ["a note"]))).toEqual({ ONE: value, TWO: "2" });
});

describe("a private file", () => {
  it("is whole, and its owner's alone, also where it was not before", () => {
    const path = join(temporaryFolder(), "key");
    writeFileSync(path, "former", { mode: 0o644 });
    privateFile(path, "secret");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["secret", 0o600]);
  });

  it.runIf(process.getuid?.() === 0)("that is lent stays root's, and its reader's group may read it", () => {
    const path = join(temporaryFolder(), "environment");
    lentFile(path, "ONE=1\n", { uid: 65_534, gid: 65_534 });
    const { uid, gid, mode } = statSync(path);
    expect([uid, gid, mode & 0o777]).toEqual([0, 65_534, 0o640]);
  });

  it("is not written through a link that stands in its way", () => {
    const folder = temporaryFolder();
    const victim = join(folder, "victim");
    writeFileSync(victim, "mine");
    symlinkSync(victim, join(folder, `key.${process.pid}.draft`));
    expect(() => privateFile(join(folder, "key"), "secret")).toThrow(InstallError);
    expect([readFileSync(victim, "utf8"), existsSync(join(folder, "key"))]).toEqual(["mine", false]);
  });

  it("says what to do where it cannot be", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    expect(() => privateFolder(join(folder, "file", "inside"))).toThrow(
      /cannot be written \((?:ENOTDIR|EEXIST)\)\. Run it with sudo/,
    );
    mkdirSync(join(folder, "open"), { mode: 0o755 });
    privateFolder(join(folder, "open"));
    expect(statSync(join(folder, "open")).mode & 0o777).toBe(0o700);
  });
});

describe("a secret in a file", () => {
  it.skipIf(process.getuid?.() !== 0)(
    "may be lent by root to a group of its reader, for reading alone, as Kubernetes mounts it; to nobody else",
    () => {
      const path = join(temporaryFolder(), "secret");
      const groups = process.getgroups?.() ?? [];
      const read = (mode: number, uid: number, gid: number): boolean => {
        writeFileSync(path, "a secret\n");
        chownSync(path, uid, gid);
        chmodSync(path, mode);
        return "text" in secretIn(path);
      };
      process.setgroups?.([...groups, 4_321]);
      try {
        expect(read(0o440, 0, 4_321)).toBe(true);
        // Of a group that this process is not in, of root's own, written by the group, read by all, or another's file.
        expect([read(0o440, 0, 4_322), read(0o440, 0, 0), read(0o460, 0, 4_321)]).toEqual([false, false, false]);
        expect([read(0o444, 0, 4_321), read(0o440, 4_321, 4_321)]).toEqual([false, false]);
      } finally {
        process.setgroups?.(groups);
      }
    },
  );
});
