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
  inPanel<Result>(work: (document: Document) => Result | Promise<Result>): Promise<Result>;
  addScript(script: string): Promise<void>;
}

/** What axe finds wrong with a page as it is now: one line for each place. */
export function violationsOf(page: Page): Promise<string[]> {
  return violationsIn({
    inPanel: (work) => page.evaluate(`(${String(work)})(document)`),
    addScript: async (script) => void (await page.evaluate(script)),
  });
}

/** The same in any browser. */
export async function violationsIn(page: Driven): Promise<string[]> {
  // Half a second of work for two processes, and the same for as long as the document stays.
  if (!(await page.inPanel((document) => "axe" in (document.defaultView ?? {})))) await page.addScript(AXE);
  return page.inPanel(async (document) => {
    const { axe } = document.defaultView as unknown as AxeScope;
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`),
    );
  });
}
