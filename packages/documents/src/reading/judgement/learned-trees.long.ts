import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { sharedFolder } from "@threadlore/testkit";
import { startBrowser } from "@threadlore/testkit/browser";
import { build } from "rolldown";
import { afterAll, describe, expect, it } from "vitest";
import type { Known, Lesson } from "./learning-page.harness.ts";
import { type Examples, learnTrees, type Tree } from "./learning-trees.harness.ts";

declare const learning: typeof import("./learning-page.harness.ts");

const SETS = ["wcxb-dev", "wcxb-dev-2", "news-dev"];
const archives = SETS.map((name) => sharedFolder(`capture/${name}.tar.xz`)).filter((path) => path !== undefined);
const browser = archives.length < SETS.length ? undefined : await startBrowser();
const folder = mkdtempSync(join(tmpdir(), "threadlore-corpus-"));

/** A third of the pages is never learnt from, so that the figures for it mean something. `bench capture` shows both. */
const isHeldBack = (id: string): boolean => crc32(id) % 3 === 0;

/** About 900 pages at a tenth of a second each and a minute of learning; a machine busy with other things takes longer. */
const MAX_MS = 60 * 60_000;

/** The reading of a page changes what there is to learn: run this file with `-u` after such a change. */
describe.runIf(browser)("the trees of the judgement", () => {
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  it("are what two thirds of each set teach", { timeout: MAX_MS }, async () => {
    const trees = learnTrees(examplesOf(await lessons()), { trees: 140, depth: 4, rate: 0.1, ridge: 20 });
    await expect(`${HEAD}${trees.map(written).join("\n")}\n];\n`).toMatchFileSnapshot("./learned-trees.ts");
  });
});

const HEAD = `/**
 * What two thirds of three public sets of pages teach about blocks: see learned-trees.long.ts, which also writes this
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
  for (const archive of archives) execFileSync("tar", ["xf", archive, "-C", folder]);
  const { output } = await build({
    input: join(import.meta.dirname, "learning-page.harness.ts"),
    platform: "browser",
    write: false,
    output: { format: "iife", name: "learning", minify: true },
  });
  const tab = await browser?.context.newPage();
  await tab?.evaluate(output[0].code.replace(/^var learning/, "globalThis.learning"));
  const found: Lesson[] = [];
  for (const { id, path, url, known } of [...pagesOf("wcxb-dev"), ...pagesOf("wcxb-dev-2"), ...newsPages()]) {
    if (isHeldBack(id)) continue;
    const lesson = await tab?.evaluate(
      ([source, address, told]: [string, string, Known]) => learning.lessonOf(source, address, told),
      [decoded(readFileSync(path)), url, known] as [string, string, Known],
    );
    if (lesson !== undefined) found.push(lesson);
  }
  return found;
}

interface TaughtPage {
  readonly id: string;
  readonly path: string;
  readonly url: string;
  readonly known: Known;
}

function pagesOf(set: string): TaughtPage[] {
  const ids = readdirSync(join(folder, set, "html")).map((file) => file.replace(/\.html$/, ""));
  return ids.toSorted().map((id) => {
    const reference = readFileSync(join(folder, set, "ground-truth", `${id}.json`), "utf8");
    const { url, main_content: content } = JSON.parse(reference) as { url: string; main_content: string };
    return { id, path: join(folder, set, "html", `${id}.html`), url, known: { content } };
  });
}

function newsPages(): TaughtPage[] {
  const pages = JSON.parse(readFileSync(join(folder, "news-dev", "evaldata.json"), "utf8")) as Readonly<
    Record<string, { file: string; with: string[]; without: string[] }>
  >;
  return Object.entries(pages)
    .map(([url, { file, ...known }]) => ({ id: file, path: join(folder, "news-dev", "html", file), url, known }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
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
      const sure = page.sure[at] ?? 0;
      if (sure === 0) continue;
      rows.push(Float32Array.from(row));
      right.push(Math.min(1, page.right[at] ?? 0));
      counts.push((sure * (page.words[at] ?? 0)) / Math.max(30, content, 0.15 * total));
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
