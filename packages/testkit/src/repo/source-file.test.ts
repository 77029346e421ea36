import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { exportsOf, hasDefaultExport, importsOf, reexportsOf } from "./source-file.ts";

const folder = mkdtempSync(join(tmpdir(), "threadlore-source-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

it("finds imports of every kind", () => {
  const source = `
    import { a } from "a"; import type { B } from "b"; import "c"; export { d } from "d"; export type { E } from "e";
    export * from "f"; const g = await import("g"); let h: import("h").H;`;
  expect(importsOf("x.ts", source)).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
});

it("tells documented exports from undocumented ones, through re-exports", () => {
  write(
    "inner.ts",
    `/** What it does. */
export function documented() {}
export const bare = 1;
/** A shape. */
export interface Shape {}
/** A schema. */
export const Both = 1;
export type Both = number;
/* no doc comment */
export class Plain {}
`,
  );
  const outer = write(
    "outer.ts",
    `export { documented, bare as renamed, type Shape } from "./inner.ts";\nexport * from "./inner.ts";`,
  );
  expect(exportsOf(outer)).toEqual([
    { name: "Both", typeOnly: false, documented: true },
    { name: "Plain", typeOnly: false, documented: false },
    { name: "Shape", typeOnly: true, documented: true },
    { name: "bare", typeOnly: false, documented: false },
    { name: "documented", typeOnly: false, documented: true },
    { name: "renamed", typeOnly: false, documented: false },
  ]);
});

it("sees default exports in both forms", () => {
  expect(hasDefaultExport("x.ts", "export default 1;")).toBe(true);
  expect(hasDefaultExport("x.ts", "const a = 1; export { a as default };")).toBe(true);
  expect(hasDefaultExport("x.ts", "export const a = 1;")).toBe(false);
});

it("tells re-exports from imports", () => {
  expect(
    reexportsOf("x.ts", 'import { a } from "a"; export { b } from "b"; export * from "c"; export type { D } from "b";'),
  ).toEqual(["b", "c"]);
});
