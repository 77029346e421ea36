/** How long is waited between two looks, milliseconds: a twentieth of what was waited so far, within these. */
const PAUSE_MS = { least: 50, most: 150 };

/**
 * Waits until `look` gives something else than undefined or false, and gives that. Throws, naming what, when it never does.
 * What comes late is looked for less often: each look at a browser is work for it and for us.
 */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined | false> | Found | undefined | false,
  timeoutMs: number = 60_000,
): Promise<Found> {
  const begun = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waited = performance.now() - begun;
    if (waited > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}.`);
    const pause = Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, waited / 20));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
