import { seededRandom } from "@threadlore/testkit";

/** What trees are learnt from: a row of figures per block, how right it is to take the block, and how much it counts. */
export interface Examples {
  readonly rows: readonly Float32Array[];
  /** From 0 to 1. */
  readonly right: Float32Array;
  readonly counts: Float32Array;
}

/** One tree: all of a level ask the same question, `figure > limit`; the answers, first one highest, number the leaf. */
export interface Tree {
  readonly splits: readonly (readonly [figure: number, limit: number])[];
  readonly leaves: readonly number[];
}

/** How much is learnt, and how cautiously. */
export interface Lessons {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  /** Adds to the weight of every leaf: the larger, the smaller the steps on little evidence. */
  readonly ridge: number;
}

const BINS = 48;

/**
 * Gradient boosting of a logistic loss over trees that ask one question a level: few figures to keep, quick to ask, and
 * slow to learn single pages by heart. Each tree sees half of the examples and a third of the figures. The same
 * examples give the same trees.
 */
export function learnTrees(examples: Examples, { trees, depth, rate, ridge }: Lessons): Tree[] {
  const { rows, right, counts } = examples;
  const count = rows.length;
  const width = rows[0]?.length ?? 0;
  const random = seededRandom(1);
  const binned = Array.from({ length: width }, (_, figure) => binnedOf(rows, figure));
  const sums = new Float64Array(count);
  const slope = new Float64Array(count);
  const curve = new Float64Array(count);
  const leafOf = new Uint8Array(count);
  const learnt: Tree[] = [];
  for (let round = 0; round < trees; round++) {
    const seen: number[] = [];
    for (let at = 0; at < count; at++) {
      const chance = 1 / (1 + Math.exp(-(sums[at] ?? 0)));
      slope[at] = (counts[at] ?? 0) * (chance - (right[at] ?? 0));
      curve[at] = (counts[at] ?? 0) * Math.max(1e-6, chance * (1 - chance));
      if (random() < 0.5) seen.push(at);
    }
    leafOf.fill(0);
    const figures = binned.map((_, figure) => figure).filter(() => random() < 0.35);
    const splits: (readonly [number, number])[] = [];
    for (let level = 0; level < depth; level++) {
      const best = bestSplit(binned, figures, seen, leafOf, slope, curve, 1 << level, ridge);
      const { bins, limits } = binned[best.figure] ?? { bins: new Uint8Array(0), limits: [] };
      splits.push([best.figure, limits[best.bin] ?? 0]);
      for (let at = 0; at < count; at++) leafOf[at] = (leafOf[at] ?? 0) * 2 + ((bins[at] ?? 0) > best.bin ? 1 : 0);
    }
    const leaves = leafValues(seen, leafOf, slope, curve, 1 << depth, ridge).map((value) => value * rate);
    for (let at = 0; at < count; at++) sums[at] = (sums[at] ?? 0) + (leaves[leafOf[at] ?? 0] ?? 0);
    learnt.push({ splits, leaves });
  }
  return learnt;
}

interface Binned {
  readonly bins: Uint8Array;
  /** Bin n holds what is above limit n-1 and not above limit n. */
  readonly limits: readonly number[];
}

function binnedOf(rows: readonly Float32Array[], figure: number): Binned {
  const values = Float32Array.from(rows, (row) => row[figure] ?? 0);
  const sorted = values.toSorted();
  const edges = new Set<number>();
  for (let bin = 1; bin < BINS; bin++) edges.add(sorted[Math.floor((bin * sorted.length) / BINS)] ?? 0);
  // The most common value, often 0, would swallow most edges; some of what is beside it is kept apart.
  const rare = sorted.filter((value) => value !== sorted[sorted.length >> 1]);
  for (let bin = 0; bin < 12; bin++) edges.add(rare[Math.floor((bin * rare.length) / 12)] ?? 0);
  const last = sorted.at(-1) ?? 0;
  const limits = [...edges].filter((edge) => edge < last).map((edge) => Math.fround(Number(edge.toFixed(3)) + 0.0005));
  const ordered = [...new Set(limits)].toSorted((a, b) => a - b);
  return { bins: Uint8Array.from(values, (value) => binOf(ordered, value)), limits: ordered };
}

function binOf(limits: readonly number[], value: number): number {
  let low = 0;
  let high = limits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > (limits[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bestSplit(
  binned: readonly Binned[],
  figures: readonly number[],
  seen: readonly number[],
  leafOf: Uint8Array,
  slope: Float64Array,
  curve: Float64Array,
  leaves: number,
  ridge: number,
): { figure: number; bin: number } {
  let best = { gain: -1, figure: 0, bin: 0 };
  for (const figure of figures) {
    const { bins, limits } = binned[figure] ?? { bins: new Uint8Array(0), limits: [] };
    const width = limits.length + 1;
    if (width < 2) continue;
    const slopes = new Float64Array(leaves * width);
    const curves = new Float64Array(leaves * width);
    for (const at of seen) {
      const cell = (leafOf[at] ?? 0) * width + (bins[at] ?? 0);
      slopes[cell] = (slopes[cell] ?? 0) + (slope[at] ?? 0);
      curves[cell] = (curves[cell] ?? 0) + (curve[at] ?? 0);
    }
    const gains = new Float64Array(width);
    for (let leaf = 0; leaf < leaves; leaf++) addGains(gains, slopes, curves, leaf * width, ridge);
    for (let bin = 0; bin < width - 1; bin++) {
      const gain = gains[bin] ?? 0;
      if (gain > best.gain) best = { gain, figure, bin };
    }
  }
  return best;
}

function addGains(gains: Float64Array, slopes: Float64Array, curves: Float64Array, from: number, ridge: number): void {
  const width = gains.length;
  let allSlope = 0;
  let allCurve = 0;
  for (let bin = 0; bin < width; bin++) {
    allSlope += slopes[from + bin] ?? 0;
    allCurve += curves[from + bin] ?? 0;
  }
  const whole = allSlope ** 2 / (allCurve + ridge);
  let slope = 0;
  let curve = 0;
  for (let bin = 0; bin < width - 1; bin++) {
    slope += slopes[from + bin] ?? 0;
    curve += curves[from + bin] ?? 0;
    gains[bin] =
      (gains[bin] ?? 0) + slope ** 2 / (curve + ridge) + (allSlope - slope) ** 2 / (allCurve - curve + ridge) - whole;
  }
}

function leafValues(
  seen: readonly number[],
  leafOf: Uint8Array,
  slope: Float64Array,
  curve: Float64Array,
  leaves: number,
  ridge: number,
): number[] {
  const slopes = new Float64Array(leaves);
  const curves = new Float64Array(leaves);
  for (const at of seen) {
    const leaf = leafOf[at] ?? 0;
    slopes[leaf] = (slopes[leaf] ?? 0) + (slope[at] ?? 0);
    curves[leaf] = (curves[leaf] ?? 0) + (curve[at] ?? 0);
  }
  return Array.from(slopes, (sum, leaf) => -sum / ((curves[leaf] ?? 0) + ridge));
}
