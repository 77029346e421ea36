import { webId } from "@threadlore/documents";

/** Statuses of an address that leads to another one for good. */
export const LEADS_ON: ReadonlySet<number> = new Set([301, 308]);

/** What a run found of a site's pages. An address with a slash at its end and without is one, as it is one document. */
export class TakenPages {
  readonly #held = new Set<string>();
  readonly #movedOn = new Set<string>();

  /** A document whose page was read, is unchanged, or could not be read this time. */
  holds(id: string): void {
    this.#held.add(id);
  }

  /** A page whose address leads to another page for good. */
  async leadsOn(from: URL): Promise<void> {
    this.#movedOn.add(await webId(from.href));
  }

  isHeld(id: string): boolean {
    return this.#held.has(id);
  }

  /** Whether what was at a page's address is at another one, which was read. */
  hasMovedOn(id: string): boolean {
    return this.#movedOn.has(id) && !this.#held.has(id);
  }
}
