import { readLedger } from "../outbox/ledger.ts";
import { readOutbox } from "../outbox/outbox.ts";
import type { KeptDocument } from "../outbox/outbox-entry.ts";

/** Tags of pages kept from this browser, those used most in front; none of private windows. */
export async function usedTags(): Promise<string[]> {
  const [sent, waiting] = await Promise.all([readLedger(), readOutbox()]);
  return tagsOf([...waiting.filter(({ isPrivate }) => isPrivate !== true), ...sent]);
}

/** Every tag of some pages once, those used most in front; among equals as the pages come. */
export function tagsOf(pages: readonly Pick<KeptDocument, "additions">[]): string[] {
  const uses = new Map<string, number>();
  for (const { additions } of pages) for (const tag of additions?.tags ?? []) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  return [...uses].toSorted(([, one], [, other]) => other - one).map(([tag]) => tag);
}
