/** What a script uses that older browsers do not have, measured against the manifest's own minimum. */

/** The first version of each browser that has something, by MDN's compatibility data. */
interface Baseline {
  readonly name: string;
  readonly pattern: RegExp;
  readonly chrome: number;
  readonly firefox: number;
  /** Scripts that hold it in a part that nothing of ours reaches. */
  readonly except?: RegExp;
}

/**
 * What is younger than the oldest browsers anybody would name. A shortcut for the eye: it knows only what stands here,
 * by its written form.
 */
const BASELINES: readonly Baseline[] = [
  { name: "Object.groupBy", pattern: /\bObject\.groupBy\(/, chrome: 117, firefox: 119 },
  { name: "Promise.withResolvers", pattern: /\bPromise\.withResolvers\(/, chrome: 119, firefox: 121 },
  { name: "Array.fromAsync", pattern: /\bArray\.fromAsync\(/, chrome: 121, firefox: 115 },
  { name: "methods of sets", pattern: /\.isSubsetOf\(|\.symmetricDifference\(/, chrome: 122, firefox: 127 },
  { name: "Iterator.from", pattern: /\bIterator\.from\(/, chrome: 122, firefox: 131 },
  { name: "URL.parse", pattern: /\bURL\.parse\(/, chrome: 126, firefox: 126 },
  { name: "Promise.try", pattern: /\bPromise\.try\(/, chrome: 128, firefox: 134 },
  { name: "scheduler.yield", pattern: /\bscheduler\.yield\(/, chrome: 129, firefox: 142 },
  { name: "Intl.DurationFormat", pattern: /\bIntl\.DurationFormat\b/, chrome: 129, firefox: 136 },
  { name: "moveBefore", pattern: /\.moveBefore\(/, chrome: 133, firefox: 144 },
  { name: "Error.isError", pattern: /\bError\.isError\(/, chrome: 134, firefox: 138 },
  { name: "RegExp.escape", pattern: /\bRegExp\.escape\(/, chrome: 136, firefox: 134 },
  // The PDF reader asks for it in forms and signatures, of which no text is read.
  { name: "fromBase64", pattern: /\bUint8Array\.fromBase64\(/, chrome: 140, firefox: 133, except: /^pdf-worker\.js$/ },
  { name: "getOrInsert", pattern: /\.getOrInsert(?:Computed)?\(/, chrome: 145, firefox: 144 },
  { name: "Math.sumPrecise", pattern: /\bMath\.sumPrecise\(/, chrome: 147, firefox: 137 },
];

/** The manifest's fields that name a minimum. */
interface Minimum {
  readonly minimum_chrome_version?: string;
  readonly browser_specific_settings?: { readonly gecko?: { readonly strict_min_version?: string } };
}

/** What scripts use that the oldest browser of this manifest lacks, in plain words. A manifest without a minimum is one. */
export function tooNew(scripts: ReadonlyMap<string, string>, manifest: Minimum): string[] {
  const gecko = manifest.browser_specific_settings?.gecko?.strict_min_version;
  const browser = gecko === undefined ? "chrome" : "firefox";
  const minimum = Number.parseInt(gecko ?? manifest.minimum_chrome_version ?? "", 10);
  if (Number.isNaN(minimum)) return ["The manifest names no oldest browser."];
  return [...scripts].flatMap(([path, text]) =>
    BASELINES.filter((one) => one[browser] > minimum && isUsed(one, path, text)).map(
      (one) => `${path} uses ${one.name}, which needs ${browser} ${one[browser]}; the manifest allows ${minimum}.`,
    ),
  );
}

/** Whether a script relies on it: one that looks for it first, or brings its own where it is missing, does not. */
function isUsed({ name, pattern, except }: Baseline, path: string, text: string): boolean {
  if (except?.test(path) === true || !pattern.test(text)) return false;
  const last = name.slice(name.lastIndexOf(".") + 1);
  return !new RegExp(`${last}\\w*===void 0|\\.${last}&&`).test(text);
}
