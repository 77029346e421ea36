import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../shared-folder.ts";
import { exportsOf, reexportsOf } from "./source-file.ts";
import { dependenciesOf, readManifest, workspacePackages, type PublishedEntry } from "./workspace.ts";

const packages = workspacePackages();
const published = packages.filter((one) => one.manifest.private !== true);
const root = { name: "the root", folder: repositoryRoot, manifest: readManifest(join(repositoryRoot, "package.json")) };

/** `./src/page.ts` as it is called once built. */
function built(source: string): PublishedEntry {
  const stem = source.replace("./src/", "./dist/").replace(/\.tsx?$/, "");
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}

describe("package.json", () => {
  it.each([root, ...packages])("of $name names exact versions", ({ manifest }) => {
    const loose = dependenciesOf(manifest).filter(
      ({ version }) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|workspace:\*)$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it.each(packages)("of $name points only at files that exist", ({ folder, manifest }) => {
    const targets = [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.bin ?? {})];
    expect(targets.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });

  it.each(published)("of $name publishes every entry it has, built", ({ manifest }) => {
    const entries = Object.entries(manifest.exports ?? {});
    expect(manifest.publishConfig?.exports).toEqual(
      Object.fromEntries(entries.map(([entry, source]) => [entry, built(source)])),
    );
    const commands = Object.entries(manifest.bin ?? {});
    expect(manifest.publishConfig?.bin ?? {}).toEqual(
      // A command may start in CommonJS, which every Node can read.
      Object.fromEntries(
        commands.map(([command, source]) => [command, built(source).default.replace(/\.cts\.js$/, ".cjs")]),
      ),
    );
    const starts = commands.map(([, source]) => built(source).default.replace("./", ""));
    expect(manifest.files?.filter((file) => !/^dist\/\w+\.cjs$/.test(file) || starts.length === 0)).toEqual([
      "dist/**/*.js",
      "dist/**/*.d.ts",
      "README.md",
    ]);
    expect(manifest.license).toBe("MIT");
    expect(manifest.scripts?.["prepack"]).toBe("tsc -b tsconfig.build.json");
  });

  it.each(packages)("of $name stands beside a README", ({ folder, manifest }) => {
    const readme = join(folder, "README.md");
    expect(existsSync(readme), `${manifest.name} has no README.md`).toBe(true);
    expect(readFileSync(readme, "utf8")).toContain(manifest.name);
  });
});

const entries = packages.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports ?? {}).map(([entry, source]) => ({
    entry: join(manifest.name, entry),
    path: join(folder, source),
  })),
);

describe("the entries", () => {
  it.each(entries)("$entry documents everything it exports", ({ path }) => {
    const undocumented = exportsOf(path).filter((one) => !one.documented);
    expect(undocumented.map((one) => one.name)).toEqual([]);
  });

  it("export what public-api.txt lists (`vitest run -u` rewrites it)", async () => {
    const list = entries.map(({ entry, path }) => {
      const names = exportsOf(path).map((one) => (one.typeOnly ? `type ${one.name}` : one.name));
      return `${entry}\n${names.map((name) => `  ${name}\n`).join("")}`;
    });
    await expect(list.join("\n")).toMatchFileSnapshot("./public-api.txt");
  });
});

describe("re-exports", () => {
  const files = packages.flatMap(({ name, folder, manifest, sources }) => {
    const doors = new Set(Object.values(manifest.exports ?? {}).map((target) => target.slice(2)));
    return sources.map((file) => ({
      file: `${name}/${file}`,
      entry: doors.has(file),
      from: reexportsOf(join(folder, file)),
    }));
  });

  it("stand in entries only: a name is imported from where it is declared", () => {
    expect(files.filter(({ entry, from }) => !entry && from.length > 0).map(({ file }) => file)).toEqual([]);
  });

  it("never hand on another package", () => {
    const foreign = files.filter(({ from }) => from.some((specifier) => !specifier.startsWith(".")));
    expect(foreign.map(({ file }) => file)).toEqual([]);
  });
});
