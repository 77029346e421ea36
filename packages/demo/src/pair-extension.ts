import { type Terminal, withOwner } from "@threadlore/cli";
import type { BrowserContext } from "playwright-core";
import { pairNamed, type Reachable } from "./handbook.ts";

/** Connector, pair and name of what is kept from the browser. */
const PAGES = "Web pages";

/**
 * Does what a person does on the extension's first page: exchanges a code for a key and says where kept pages go, from
 * within the extension, as the service gives a key to the origin that asks. A key that works already is left alone, and
 * so is what the person has set. Throws, with the reason, when the service gives none.
 */
export async function pairExtension(
  terminal: Terminal,
  { context, origin, service }: { context: BrowserContext; origin: string; service: Reachable },
): Promise<void> {
  const page = await context.newPage();
  try {
    await page.goto(`${origin}/options.html`);
    if (await page.evaluate(hasWorkingKey, service.url)) return;
    const { code, pairId } = await withOwner(terminal, service.files.folder, async (owner) => ({
      code: await owner.createPairing(),
      // Kept pages go to a private one.
      pairId: await pairNamed(owner, PAGES, "web"),
    }));
    const refusal = await page.evaluate(exchangeCode, { url: service.url, code, pairId, pairName: PAGES });
    if (refusal !== undefined) throw new Error(`The extension could not be paired (${refusal}).`);
  } finally {
    await page.close();
  }
}

// ── Inside a page of the extension: each of these is sent there as it is written ──────────────────────────────────────

interface ExtensionScope {
  readonly chrome: {
    readonly storage: {
      readonly local: {
        get(keys: readonly string[]): Promise<{ keys?: { origin: string; askKey: string }; settings?: object }>;
        set(values: object): Promise<void>;
      };
    };
  };
}

async function hasWorkingKey(url: string): Promise<boolean> {
  const { chrome } = globalThis as unknown as ExtensionScope;
  const { keys } = await chrome.storage.local.get(["keys"]);
  if (keys?.origin !== new URL(url).origin) return false;
  return fetch(`${url}/me`, { headers: { authorization: `Bearer ${keys.askKey}` } }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Returns why not, where it did not come about. */
async function exchangeCode(
  given: Record<"url" | "code" | "pairName", string> & { pairId: number },
): Promise<string | undefined> {
  const { chrome } = globalThis as unknown as ExtensionScope;
  const { url, code, ...pair } = given;
  const reply = await fetch(`${url}/pairing`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (!reply.ok) return `the service answered ${reply.status}`;
  const { api_key: askKey } = (await reply.json()) as { api_key: string };
  const { settings } = await chrome.storage.local.get(["settings"]);
  await chrome.storage.local.set({
    settings: { version: 1, ...settings, baseUrl: url, ...pair, pairIsPublic: false },
    keys: { origin: new URL(url).origin, askKey, ingestKey: "" },
  });
  return undefined;
}
