import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CompaniesReport } from "./people-worlds.harness.ts";

/** Companies that are given to a process at a time. */
const PART = 250;

/**
 * Judges companies in processes of their own, a part at a time; what one process is told decides nothing, so they are the
 * same as in one (`judgeCompanies`). After each part is said what there is so far: it takes long.
 */
export async function judgeCompaniesApart(count: number, seed: number, processes: number): Promise<CompaniesReport> {
  const sum: CompaniesReport = { companies: 0, looks: 0, finds: 0, afterLoss: 0, problems: [] };
  const begun = performance.now();
  let next = 0;
  const work = async (child: ChildProcess): Promise<void> => {
    while (next < count) {
      const from = next;
      next = Math.min(count, from + PART);
      child.send({ from, count: next - from, seed });
      const [told] = (await Promise.race([once(child, "message"), ended(child)])) as [CompaniesReport];
      sum.companies += told.companies;
      sum.looks += told.looks;
      sum.finds += told.finds;
      sum.afterLoss += told.afterLoss;
      sum.problems.push(...told.problems);
      const seconds = Math.round((performance.now() - begun) / 1_000);
      console.log(
        `${sum.companies} companies, ${sum.looks} looks, ${sum.finds} finds, ${sum.problems.length} problems: ${seconds} s`,
      );
    }
  };
  const children = Array.from({ length: processes }, () =>
    fork(join(import.meta.dirname, "companies-child.harness.ts")),
  );
  try {
    await Promise.all(children.map(work));
  } finally {
    for (const child of children) child.disconnect();
  }
  return sum;
}

async function ended(child: ChildProcess): Promise<never> {
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  throw new Error(`a process that judges companies ended: ${code ?? signal}`);
}
