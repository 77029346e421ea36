/** How much of the best possible order the first ten have, discounted by rank (nDCG@10); 0 to 1. */
export function ndcg10(found: readonly string[], relevant: ReadonlySet<string>): number {
  const gain = (rank: number): number => 1 / Math.log2(rank + 2);
  let got = 0;
  for (const [rank, id] of found.slice(0, 10).entries()) if (relevant.has(id)) got += gain(rank);
  let best = 0;
  for (let rank = 0; rank < Math.min(10, relevant.size); rank++) best += gain(rank);
  return best === 0 ? 0 : got / best;
}

/** The arithmetic mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
