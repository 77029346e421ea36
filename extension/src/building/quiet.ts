const silent = () => {};

/** A logger for WXT that says only what is wrong. */
export const QUIET = {
  level: 0,
  debug: silent,
  log: silent,
  info: silent,
  success: silent,
  warn: (...words: unknown[]) => {
    // WXT cannot find the sources it has packed, as they begin above its own folder; the package has them.
    if (!String(words[0]).startsWith("Could not get stats")) console.error(...words);
  },
  error: console.error,
  fatal: console.error,
};
