import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

interface AxeScope {
  axe: {
    run(
      context: Document,
      options: object,
    ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
  };
}

/** A page that is driven, in whichever browser. */
interface Driven {
  inPanel<Words extends readonly unknown[], Result>(
    work: (document: Document, ...words: Words) => Result | Promise<Result>,
    ...words: Words
  ): Promise<Result>;
  addScript(script: string): Promise<void>;
}

/** What axe finds wrong with a page as it is now: one line for each place. */
export function violationsOf(page: Page): Promise<string[]> {
  return violationsIn({
    inPanel: (work, ...words) => page.evaluate(`(${String(work)})(document, ...${JSON.stringify(words)})`),
    addScript: async (script) => void (await page.evaluate(script)),
  });
}

/** What axe looks for: all it knows, or whether colours can be told apart, which alone hangs on light or dark. */
type Sought = "everything" | "colours";

/** The same in any browser. */
export async function violationsIn(page: Driven, sought: Sought = "everything"): Promise<string[]> {
  // Half a second of work for two processes, and the same for as long as the document stays.
  if (!(await page.inPanel((document) => "axe" in (document.defaultView ?? {})))) await page.addScript(AXE);
  return page.inPanel(async (document, wanted) => {
    const { axe } = document.defaultView as unknown as AxeScope;
    const runOnly = ["color-contrast", "link-in-text-block"];
    const options = { resultTypes: ["violations"], ...(wanted === "colours" && { runOnly }) };
    const { violations } = await axe.run(document, options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`),
    );
  }, sought);
}
