import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Assistant, System } from "./assistant.ts";
import { languageOf } from "./edit/edited-text.ts";
import { ASSISTANTS } from "./known-assistants.ts";
import { isOfProject } from "./places.ts";

const readme = (path: string): string => readFileSync(join(import.meta.dirname, "../../../..", path), "utf8");

/** The page people read, without the spaces that align the columns of its tables. */
const PAGE = readFileSync(join(import.meta.dirname, "../../../../docs/assistants.md"), "utf8").replaceAll(
  / +\|/g,
  " |",
);

/** Paths as the page has them: a variable by its name on Windows, else what it usually stands for. */
function shown({ file }: Assistant, system: System): string[] {
  return file.paths[system].map((path) =>
    path
      .replace(/\$\{((?:LOCAL)?APPDATA):-[^}]+\}/, "%$1%")
      .replace(/\$\{\w+:-([^}]+)\}/, "$1")
      .replace(/^\.\//, ""),
  );
}

describe("docs/assistants.md", () => {
  it.each(ASSISTANTS.map((assistant) => [assistant.id, assistant] as const))(
    "has the line that gives %s the tools, its file, where it was read, and what to do next",
    (id, assistant) => {
      const row = PAGE.split("\n").find((line) => line.includes(`\`threadlore mcp install --client ${id}\``));
      expect(row).toContain(`| ${assistant.name} |`);
      for (const system of ["linux", "macos", "windows"] as const) {
        for (const path of shown(assistant, system)) expect(row).toContain(`\`${path}\``);
      }
      for (const source of assistant.source.split(", ")) expect(PAGE).toContain(source);
      expect(PAGE).toContain(assistant.next);
    },
  );

  it.each(
    ASSISTANTS.flatMap(({ id, file, under, remote }) => (remote === undefined ? [] : [{ id, file, under, remote }])),
  )("has how $id is told of a server by its address", async ({ file, under, remote }) => {
    const { read, sample } = await languageOf(file.format);
    const text = sample([...(under.at(-1) ?? []), "threadlore"], remote("http://127.0.0.1:8411/mcp", "KEY"));
    const blocks = PAGE.matchAll(new RegExp(`\`\`\`${file.format}\\n([^\`]*)\`\`\``, "g"));
    expect([...blocks].map(([, block = ""]) => read(block))).toContainEqual(read(text));
  });
});

it("docs/assistants.md says of a key where it comes from, and that it does not belong into a project's file", () => {
  const [, section = ""] = PAGE.replaceAll(/\s+/g, " ").split("## By address");
  expect(section).toContain("The embedded service (`threadlore serve`) listens at `/mcp`");
  expect(section).toContain("`threadlore key add");
  for (const { file } of ASSISTANTS.filter((one) => isOfProject(one.file))) {
    expect(section).toContain(`\`${(file.paths.linux[0] ?? "").replace(/^\.\//, "")}\``);
  }
  expect(section).toContain(".before-threadlore");
});

describe("READMEs", () => {
  it("say how many are known", () => {
    const count = String(ASSISTANTS.length);
    expect(readme("README.md").replaceAll(/\s+/g, " ")).toContain(`lists the ${count} that are known`);
    expect(readme("packages/cli/README.md")).toContain(`for each of the ${count} that are known`);
    expect(readme("CHANGELOG.md")).toContain(`one of ${count} editors and assistants`);
  });
});
