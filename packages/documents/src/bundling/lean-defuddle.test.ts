import { join } from "node:path";
import { startBrowser } from "@threadlore/testkit/browser";
import { build } from "rolldown";
import { afterAll, describe, expect, it } from "vitest";
import { article } from "../reading/read-page-pages.harness.ts";
import { leanDefuddle } from "./lean-defuddle.ts";

declare const extractors: typeof import("../reading/judgement/extractors.ts");

async function bundled(plugins: ReturnType<typeof leanDefuddle>[]): Promise<string> {
  const { output } = await build({
    input: join(import.meta.dirname, "../reading/judgement/extractors.ts"),
    platform: "browser",
    write: false,
    plugins,
    output: { format: "iife", name: "extractors", minify: true },
  });
  return output[0].code.replace(/^var extractors/, "globalThis.extractors");
}

const [lean, whole] = await Promise.all([bundled([leanDefuddle()]), bundled([])]);
// Awaited here, where no time limit counts: it may install a browser first.
const browser = await startBrowser();
afterAll(() => browser?.close());

describe("Defuddle without what is never reached", () => {
  it("is less than half", () => {
    expect(lean.length).toBeLessThan(whole.length / 2);
  });

  it.runIf(browser)("holds the same for content", async () => {
    const opinionOf = async (script: string) => {
      const page = await browser?.context.newPage();
      await page?.evaluate(script);
      const opinion = await page?.evaluate((html) => {
        const document = new DOMParser().parseFromString(html, "text/html");
        return extractors.defuddleOpinion(
          { document, nodes: 100, characters: 2_000, deepest: 10 },
          "https://allotment.example/beans",
        );
      }, article);
      return opinion?.flat().join(" ");
    };
    const [own, others] = [await opinionOf(lean), await opinionOf(whole)];
    for (const kept of ["beans want water", "412 daily 309", "anyone who cannot come", "leave the can out"]) {
      expect(own).toContain(kept);
      expect(others).toContain(kept);
    }
    for (const left of ["all rights", "related"]) expect(own).not.toContain(left);
  });
});
