import { existsSync, readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";

/**
 * A clock of what a page's main thread has done: script, its garbage, style and layout, in milliseconds. Where the
 * system tells (Linux), it counts processor time, which other programs on the machine change least; elsewhere the time
 * the thread's tasks took.
 */
export async function mainThreadClock(context: BrowserContext, page: Page): Promise<() => Promise<number>> {
  const file = await schedulerFile(context, page);
  if (file !== undefined) return async () => processorMs(file);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  return async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
  };
}

/** Where Linux keeps the processor time of a page's main thread: found by keeping the page busy for a moment. */
async function schedulerFile(context: BrowserContext, page: Page): Promise<string | undefined> {
  const session = await context.browser()?.newBrowserCDPSession();
  if (session === undefined) return undefined;
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const files = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => `/proc/${id}/task/${id}/schedstat`)
    .filter((path) => existsSync(path));
  const before = files.map(processorMs);
  await page.evaluate(() => {
    for (const end = performance.now() + 200; performance.now() < end;);
  });
  const worked = files.map((path, at) => ({ path, ms: processorMs(path) - (before[at] ?? 0) }));
  return worked.toSorted((one, other) => other.ms - one.ms)[0]?.path;
}

/** The first figure of the file: nanoseconds on a processor. */
function processorMs(path: string): number {
  return Number(readFileSync(path, "utf8").split(" ")[0]) / 1_000_000;
}
