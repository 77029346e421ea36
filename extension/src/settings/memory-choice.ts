/** Where the person has agreed to be asked with a memory on: by service and account, so that another key is asked anew. */
import { browser } from "wxt/browser";

const AGREED = "memory-agreed";

/** Whether the person has agreed that this account of this service writes its memory from what they ask. */
export async function hasAgreedToMemory(origin: string, account: string): Promise<boolean> {
  return (await readAgreed())[origin] === account;
}

/** Remembers that they have. */
export async function agreeToMemory(origin: string, account: string): Promise<void> {
  await browser.storage.local.set({ [AGREED]: { ...(await readAgreed()), [origin]: account } });
}

async function readAgreed(): Promise<Record<string, string>> {
  const stored = (await browser.storage.local.get(AGREED))[AGREED];
  return typeof stored === "object" && stored !== null ? (stored as Record<string, string>) : {};
}
