/** Waits until `look` gives something else than undefined or false, and gives that. Throws, naming what, when it never does. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined | false> | Found | undefined | false,
  timeoutMs: number = 60_000,
): Promise<Found> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
