import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { sharedFolder } from "@threadlore/testkit";
import { startBrowser } from "@threadlore/testkit/browser";
import { build } from "rolldown";
import { afterAll, describe, expect, it } from "vitest";
import type { Lesson } from "./learning-page.harness.ts";
import { type Examples, learnTrees, type Tree } from "./learning-trees.harness.ts";

declare const learning: typeof import("./learning-page.harness.ts");

const corpus = sharedFolder("capture/wcxb-dev.tar.xz");
const browser = corpus === undefined ? undefined : await startBrowser();
const folder = mkdtempSync(join(tmpdir(), "threadlore-corpus-"));

/** A third of the pages is never learnt from, so that the figures for it mean something. `bench capture` shows both. */
const isHeldBack = (id: string): boolean => crc32(id) % 3 === 0;

/** About 400 pages at a tenth of a second each and ten seconds of learning; a machine busy with other things takes longer. */
const MAX_MS = 20 * 60_000;

/** The reading of a page changes what there is to learn: run this file with `-u` after such a change. */
describe.runIf(browser)("the trees of the judgement", () => {
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  it("are what two thirds of the corpus teach", { timeout: MAX_MS }, async () => {
    const trees = learnTrees(examplesOf(await lessons()), { trees: 94, depth: 4, rate: 0.12, ridge: 20 });
    await expect(`${HEAD}${trees.map(written).join("\n")}\n];\n`).toMatchFileSnapshot("./learned-trees.ts");
  });
});

const HEAD = `/**
 * What two thirds of a public corpus of pages teach about blocks: see learned-trees.long.ts, which also writes this
 * file. A tree: one question for each level (which figure, above how many whole thousandths), and the
 * leaves, in hundredths.
 */
// prettier-ignore
export const TREES: readonly (readonly [
  splits: readonly (readonly [figure: number, thousandths: number])[],
  leaves: readonly number[],
])[] = [
`;

async function lessons(): Promise<Lesson[]> {
  execFileSync("tar", ["xf", corpus ?? "", "-C", folder]);
  const { output } = await build({
    input: join(import.meta.dirname, "learning-page.harness.ts"),
    platform: "browser",
    write: false,
    output: { format: "iife", name: "learning", minify: true },
  });
  const tab = await browser?.context.newPage();
  await tab?.evaluate(output[0].code.replace(/^var learning/, "globalThis.learning"));
  const found: Lesson[] = [];
  for (const file of readdirSync(join(folder, "wcxb-dev", "html")).toSorted()) {
    const id = file.replace(/\.html$/, "");
    if (isHeldBack(id)) continue;
    const { url, main_content: reference } = JSON.parse(
      readFileSync(join(folder, "wcxb-dev", "ground-truth", `${id}.json`), "utf8"),
    );
    const html = decoded(readFileSync(join(folder, "wcxb-dev", "html", file)));
    const lesson = await tab?.evaluate(
      ([source, address, text]: [string, string, string]) => learning.lessonOf(source, address, text),
      [html, url, reference] as [string, string, string],
    );
    if (lesson !== undefined) found.push(lesson);
  }
  return found;
}

function decoded(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString("latin1");
  const charset = /charset=["']?([\w-]+)/i.exec(head)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Pages count alike, blocks by their words. A page with little content counts no more for it. */
function examplesOf(pages: readonly Lesson[]): Examples {
  const rows: Float32Array[] = [];
  const right: number[] = [];
  const counts: number[] = [];
  for (const page of pages) {
    const total = page.words.reduce((sum, words) => sum + words, 0);
    const content = page.words.reduce((sum, words, at) => sum + words * (page.right[at] ?? 0), 0);
    for (const [at, row] of page.rows.entries()) {
      rows.push(Float32Array.from(row));
      right.push(Math.min(1, page.right[at] ?? 0));
      counts.push((page.words[at] ?? 0) / Math.max(30, content, 0.15 * total));
    }
  }
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return { rows, right: Float32Array.from(right), counts: Float32Array.from(counts, (count) => count / mean) };
}

/** Leaves in hundredths: short to write, and exact enough. */
function written({ splits, leaves }: Tree): string {
  const questions = splits.map(([figure, limit]) => `[${figure}, ${Math.floor(limit * 1000)}]`);
  return `  [[${questions.join(", ")}], [${leaves.map((leaf) => Math.round(leaf * 100)).join(", ")}]],`;
}
