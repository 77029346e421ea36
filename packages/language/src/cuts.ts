/** How texts of scripts without spaces between words are cut into words. */

/** So many UTF-16 units are given to the cutter at once; a longer run without a break is cut there. */
const MAX_CUT = 2_000;

/** After a gap longer than this a new stretch costs less than reading the gap. */
const MAX_GAP = 64;

let segmenter: Intl.Segmenter | undefined;

/** Calls for each word of a run, given by where it begins and ends, in order. */
export type Cutter = (start: number, end: number, each: (written: string, start: number) => void) => void;

/**
 * A cutter of the runs of one text, to be called in their order. Runs that stand close together are cut in one stretch:
 * the dictionaries of `Intl.Segmenter` cost more to begin with than to go on with, some three times for a text of
 * sentences. What a run is cut into does not depend on what stands beside it.
 */
export function cutterOf(text: string): Cutter {
  let stretch = stretchOf(text, 0, 0);
  return (start, end, each) => {
    // A stretch that ends inside the run would cut a word there.
    if (start - stretch.reached() > MAX_GAP || end > stretch.end) stretch = stretchOf(text, start);
    for (let at = start; at < end;) {
      let next = stretch.after(at);
      if (next === undefined) {
        stretch = stretchOf(text, at);
        next = stretch.after(at) ?? end;
      }
      const to = Math.min(next, end);
      each(text.slice(at, to), at);
      at = to;
    }
  };
}

/** A stretch of a text with its cuts, made as far as they are asked for. */
function stretchOf(text: string, start: number, end = Math.min(text.length, start + MAX_CUT)) {
  // The locale changes nothing: which dictionary is used goes by the script.
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  const cuts = segmenter.segment(text.slice(start, end))[Symbol.iterator]();
  let reached = start;
  return {
    end,
    reached: () => reached,
    /** The first cut after a place; `undefined` where the stretch ends. Places are asked for in order. */
    after(at: number): number | undefined {
      for (; reached <= at;) {
        const { value, done } = cuts.next();
        if (done === true) return undefined;
        reached = start + value.index + value.segment.length;
      }
      return reached;
    },
  };
}
