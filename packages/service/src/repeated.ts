/** When something is done again and again, milliseconds: after the start, and from the end of one time to the next. */
interface Pace {
  readonly firstMs: number;
  readonly everyMs: number;
}

/**
 * Does something now and then, one time after the other: what piled up while nobody answered would be done at one moment. What
 * it rejects with is told, and it is done again all the same. Answers what ends it.
 */
export function startRepeating(
  work: () => Promise<unknown>,
  { firstMs, everyMs, told }: Pace & { readonly told: (cause: unknown) => void },
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const later = (ms: number): void => {
    timer = setTimeout(() => void once(), ms).unref();
  };
  const once = async (): Promise<void> => {
    await work().catch(told);
    if (!isEnded) later(everyMs);
  };
  later(firstMs);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
