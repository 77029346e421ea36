import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../checks/run-program.ts";
import { repositoryRoot } from "../shared-folder.ts";
import { examplesIn, printsAsPromised } from "./examples.ts";
import { packWorkspace, type PackedWorkspace } from "./packed-workspace.ts";
import { isTest, workspacePackages } from "./workspace.ts";

const published = workspacePackages().filter((one) => one.manifest.private !== true);
const readmes = [
  ...published.map(({ manifest, folder }) => ({ name: manifest.name, folder })),
  { name: "threadlore", folder: repositoryRoot },
].map(({ name, folder }) => ({ name, examples: examplesIn(readmeOf(folder)) }));

/** A README that is missing has no examples; another test says that it is missing. */
function readmeOf(folder: string): string {
  const path = join(folder, "README.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

let packed: PackedWorkspace;
beforeAll(() => {
  packed = packWorkspace(published);
}, 300_000);
afterAll(() => packed?.remove());

/** Where an example lies, inside the folder with the installed packages. */
function exampleFolder(readme: string): string {
  const folder = join(packed.folder, "examples", readme.replace("@threadlore/", ""));
  mkdirSync(folder, { recursive: true });
  return folder;
}

describe("an installed package", () => {
  it.each(published)("$name holds JavaScript, declarations and its README, and no sources", ({ manifest, folder }) => {
    const installed = join(packed.folder, "node_modules", manifest.name);
    const files = globSync("**/*.*", { cwd: installed, exclude: ["node_modules/**"] });
    expect(
      files.filter((file) => !/^dist\/.*\.(js|d\.ts)$|^dist\/start\.cjs$|^(package\.json|README\.md)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => isTest(file.replace(/(\.d\.ts|\.js)$/, ".ts")))).toEqual([]);
    expect(globSync("LICENSE", { cwd: installed })).toHaveLength(1);
    expect(readFileSync(join(installed, "README.md"), "utf8")).toBe(readmeOf(folder));
    for (const { types, default: script } of Object.values(manifest.publishConfig?.exports ?? {})) {
      expect(files).toContain(types.slice(2));
      expect(files).toContain(script.slice(2));
    }
  });

  const importable = published
    .filter(({ manifest }) => manifest.bin === undefined)
    .map(({ manifest: { name, exports = {} } }) => ({
      name,
      entries: Object.keys(exports).map((at) => join(name, at)),
    }));

  it.each(importable)("$name can be imported, each of its entries: $entries", ({ entries }) => {
    const imports = entries.map((entry) => `await import("${entry}")`);
    const { status, printed } = packed.run(["node", "--input-type=module", "-e", imports.join(";")]);
    expect({ status, printed }).toEqual({ status: 0, printed: "" });
  });

  it("brings the command", () => {
    const { status, printed } = packed.run(["threadlore", "--help"]);
    expect({ status, printed }).toEqual({ status: 0, printed: expect.stringContaining("threadlore") });
  });
});

describe("the installed command", () => {
  it("reads a PDF in a process of its own, and says of another that it is damaged", async () => {
    const service = await packed.startService();
    const cwd = exampleFolder("pdf");
    const page =
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>";
    const objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      page,
      "<< /Length 42 >>\nstream\nBT /F1 12 Tf 9 9 Td (A berth, by day.) Tj ET\nendstream",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ];
    const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
    writeFileSync(join(cwd, "whole.pdf"), `%PDF-1.4\n${body}trailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n`);
    writeFileSync(join(cwd, "half.pdf"), "%PDF-1.4\nnothing");
    const command = ["threadlore", "ingest", "--pair", "none", "--dry-run", "whole.pdf", "half.pdf"];
    const { status, printed } = packed.run(command, { cwd, variables: service.variables });
    service.stop();
    expect({ status, printed }).toEqual({ status: 9, printed: expect.stringMatching(/^add whole\.pdf$/m) });
    expect(printed).toContain("not sent half.pdf: it is damaged or incomplete.");
  }, 60_000);
});

describe("the tools for editors", () => {
  it("are started from the installed package by what its command writes down", () => {
    const cwd = exampleFolder("editor");
    const { printed } = packed.run(["threadlore", "mcp", "install", "--client", "cursor-project", "--json"], { cwd });
    const { entry } = JSON.parse(printed) as { entry: { command: string; args: string[] } };
    expect(entry.args).toEqual([expect.stringMatching(/node_modules.@threadlore.cli.dist.start\.cjs$/), "mcp"]);
    const { status, printed: help } = packed.run([entry.command, ...entry.args, "--help"], { cwd });
    expect({ status, help }).toEqual({ status: 0, help: expect.stringMatching(/^Usage: threadlore mcp /) });
  });
});

describe("examples in READMEs", () => {
  it.each(readmes.filter((one) => one.name !== "threadlore"))("$name has one that runs", ({ examples }) => {
    expect(examples).not.toHaveLength(0);
  });

  it("have the types they claim, by the shipped declarations", async () => {
    for (const { name, examples } of readmes) {
      for (const [index, { language, code }] of examples.entries()) {
        if (language === "ts") writeFileSync(join(exampleFolder(name), `example-${index + 1}.ts`), code);
      }
    }
    const compilerOptions = {
      target: "ES2024",
      lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      module: "NodeNext",
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: [join(repositoryRoot, "node_modules", "@types")],
      types: ["node"],
    };
    const config = { compilerOptions, include: ["examples", "node_modules/@threadlore/*/dist"], exclude: [] };
    writeFileSync(join(packed.folder, "tsconfig.json"), JSON.stringify(config));
    const { output } = await runProgram("tsc", ["-p", packed.folder, "--pretty", "false"]);
    // Declarations of other people's packages are theirs to get right.
    const own = output.split("\n").filter((line) => /(examples|@threadlore)\/[^:]*: error/.test(line));
    expect(own).toEqual([]);
    expect(output).not.toMatch(/^error/m);
  });

  describe.each(readmes.filter((one) => one.examples.length > 0))("of $name", ({ name, examples }) => {
    let service: Awaited<ReturnType<PackedWorkspace["startService"]>>;
    beforeAll(async () => {
      service = await packed.startService();
    });
    afterAll(() => service.stop());

    it.each(examples.map((example, index) => ({ ...example, number: index + 1 })))(
      "$number ($language) runs",
      (example) => {
        const cwd = exampleFolder(name);
        const file = join(cwd, `example-${example.number}.${example.language}`);
        writeFileSync(file, example.code);
        const command = example.language === "ts" ? ["node", file] : ["bash", "-e", file];
        const { status, printed } = packed.run(command, { cwd, variables: service.variables });
        expect({ status, printed }).toEqual({ status: 0, printed: expect.any(String) });
        const promised = example.output;
        const kept = promised === undefined || printsAsPromised(promised, printed);
        expect(kept ? promised : printed).toBe(promised);
      },
    );
  });
});
