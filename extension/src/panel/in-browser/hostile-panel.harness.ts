import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sharedFolder } from "@threadlore/testkit";
import type { Page } from "playwright-core";

/** A text that attacks whoever shows it. */
export interface HostileText {
  readonly id: string;
  readonly text: string;
}

/** Answers that try to fetch from, or hide a link to, evil.test; none where the folder of vectors is not there. */
export function exfiltrationVectors(): HostileText[] {
  const folder = sharedFolder("vectors");
  if (folder === undefined) return [];
  const { vectors } = JSON.parse(readFileSync(join(folder, "exfil-vectors.json"), "utf8")) as {
    vectors: HostileText[];
  };
  return vectors;
}

/** Public payloads that run script where markup is trusted; none where the folder of vectors is not there. */
export function scriptPayloads(): HostileText[] {
  const folder = sharedFolder("vectors");
  if (folder === undefined) return [];
  const lines = gunzipSync(readFileSync(join(folder, "xss-dev.jsonl.gz")))
    .toString("utf8")
    .split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { id: string; p: string })
    .map(({ id, p }) => ({ id, text: p }));
}

interface WatchedScope {
  hostileRuns: string[];
}

/** Counts what runs in a page: the dialogs payloads open, and violations of its policy. */
export async function watchRuns(page: Page): Promise<void> {
  await page.evaluate(() => {
    const runs: string[] = [];
    Object.assign(globalThis, { hostileRuns: runs });
    for (const name of ["alert", "confirm", "prompt", "open", "print"]) {
      Object.defineProperty(globalThis, name, { configurable: true, value: () => void runs.push(name) });
    }
    addEventListener("securitypolicyviolation", (event) => runs.push(`violation of ${event.effectiveDirective}`));
  });
}

/** What ran since `watchRuns`. */
export function runsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as WatchedScope).hostileRuns);
}

/** Does to every element what a person might do to it: payloads wait for a pointer, a focus or a toggle. */
export async function poke(page: Page, selector: string): Promise<void> {
  await page.evaluate((within) => {
    for (const element of document.querySelectorAll(`${within} *`)) {
      for (const type of [
        "mouseover",
        "mouseenter",
        "pointerover",
        "focus",
        "toggle",
        "animationstart",
        "load",
        "error",
      ]) {
        element.dispatchEvent(new Event(type, { bubbles: false }));
      }
    }
  }, selector);
}
