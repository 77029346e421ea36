import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";

/** What a page that hangs waits for. */
const NEVER = "/what-never-comes";

/**
 * Has a page of Chromium hang for so long, milliseconds, and resolves as soon as it does. It waits for a request in the
 * way that lets nothing else happen in it: as if it worked without end, and no processor is kept from other tests.
 */
export async function hangPage(page: Page, ms: number): Promise<void> {
  const { promise: hangs, resolve: begun } = Promise.withResolvers<void>();
  const held = async (route: { abort(): Promise<void> }): Promise<void> => {
    begun();
    await delay(ms, undefined, { ref: false });
    // It, or its browser, may be gone by now.
    await route.abort().catch(() => {});
  };
  await page.route(`**${NEVER}`, held, { times: 1 });
  await page.evaluate((path) => {
    setTimeout(() => {
      const request = new XMLHttpRequest();
      request.open("GET", path, false);
      try {
        request.send();
      } catch {
        // So its waiting ends.
      }
    });
  }, NEVER);
  await hangs;
}
