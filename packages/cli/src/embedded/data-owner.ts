import type { Owner } from "./owner.ts";
import type { Terminal } from "../terminal/output.ts";

/**
 * Does `work` on the embedded service's database. The service's code is loaded only now: most commands talk to a
 * server and never need it. Throws UsageError when there is no database, or the work cannot be done.
 */
export async function withOwner<Result>(
  terminal: Terminal,
  data: string | undefined,
  work: (owner: Owner) => Result,
): Promise<Result> {
  const { workOnData } = await import("./owner.ts");
  return workOnData(terminal, data, work);
}
