import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { zipOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { exportHint } from "./export-hint.ts";

const ID = "0123456789abcdef0123456789abcdef";
const EXPORTS: readonly (readonly [string | undefined, readonly string[]])[] = [
  ["--export slack", ["channels.json", "users.json", "general/2026-05-01.json"]],
  ["--export slack", ["acme/channels.json", "acme/org_users.json"]],
  ["--export confluence", ["DOC/index.html", "DOC/Tariffs_12345.html"]],
  ["--export confluence", ["entities.xml", "exportDescriptor.properties"]],
  ["--export notion", [`Private & Shared/夜班 ${ID}.md`]],
  ["--export notion", ["ExportBlock-01234567-Part-1.zip"]],
  [undefined, ["index.html", "about.html", "readme.md"]],
  [undefined, ["channels.json"]],
];

describe("what looks like an export and is named without --export", () => {
  it.each(EXPORTS)("%s: %j", async (option, paths) => {
    const home = temporaryFolder();
    writeFileSync(join(home, "a.zip"), zipOf(Object.fromEntries(paths.map((path) => [path, "x"]))));
    for (const path of paths) {
      mkdirSync(dirname(join(home, "a", path)), { recursive: true });
      writeFileSync(join(home, "a", path), "x");
    }
    for (const name of ["a.zip", "a"]) {
      const hint = await exportHint(join(home, name), name);
      expect(/^(.+?) looks like an export of .*: (--export \w+) /.exec(hint ?? "")?.slice(1)).toEqual(
        option === undefined ? undefined : [name, option],
      );
    }
  });

  it("is nothing where it cannot be looked at", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "broken.zip"), "PK");
    for (const name of ["broken.zip", "gone", "gone.zip"])
      expect(await exportHint(join(home, name), name)).toBeUndefined();
  });
});
