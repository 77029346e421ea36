/** Languages whose months a wiki writes in letters: those it is translated into. */
const LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "sv",
  "da",
  "nb",
  "fi",
  "cs",
  "ru",
  "hu",
  "ro",
  "et",
];

/** By how a month is written, lower case and without a dot, its number. Made when the first date is read. */
let months: ReadonlyMap<string, number> | undefined;

/**
 * The last date in a line an export wrote for people, such as `last modified on Oct 12, 2026`, as `2026-10-12`. Undefined
 * where there is none in a language that is known.
 */
export function exportedDate(line: string): string | undefined {
  const numbers = [...line.matchAll(/(\d{4})\s*[-/.年년]\s*(\d{1,2})\s*[-/.月월]\s*(\d{1,2})/g)].at(-1);
  if (numbers !== undefined) return dateOf(numbers[1], Number(numbers[2]), numbers[3]);
  const [eastern] = [...line.matchAll(/(\d{1,2})\s*[月월]\s*(\d{1,2}),\s*(\d{4})/g)].slice(-1);
  if (eastern !== undefined) return dateOf(eastern[3], Number(eastern[1]), eastern[2]);
  months ??= monthsOf(LANGUAGES);
  for (const { day, month, year } of writtenDates(line).toReversed()) {
    const number = months.get(month.toLowerCase().replace(/\.$/, ""));
    if (number !== undefined) return dateOf(year, number, day);
  }
  return undefined;
}

/** `Oct 12, 2026` and `12. Okt. 2026`, with `de` between in some languages. */
function writtenDates(line: string): { day: string; month: string; year: string }[] {
  const monthFirst = [...line.matchAll(/(\p{L}{3,20}\.?) (\d{1,2}),? (\d{4})/gu)].map(
    ([, month = "", day = "", year = ""]) => ({ day, month, year }),
  );
  const dayFirst = [...line.matchAll(/(\d{1,2})\.? (?:de )?(\p{L}{3,20}\.?),? (?:de )?(\d{4})/gu)].map(
    ([, day = "", month = "", year = ""]) => ({ day, month, year }),
  );
  return [...dayFirst, ...monthFirst];
}

function monthsOf(languages: readonly string[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const language of languages) {
    for (const month of ["short", "long"] as const) {
      // With the day beside it, some languages decline the month.
      const formats = [{ month }, { month, day: "numeric" } as const].map(
        (options) => new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }),
      );
      for (let number = 1; number <= 12; number++) {
        for (const format of formats) {
          const parts = format.formatToParts(Date.UTC(2026, number - 1, 1));
          const name = parts
            .find(({ type }) => type === "month")
            ?.value.toLowerCase()
            .replace(/\.$/, "");
          if (name !== undefined && !names.has(name)) names.set(name, number);
        }
      }
    }
  }
  return names;
}

function dateOf(year: string | undefined, month: number, day: string | undefined): string | undefined {
  const two = (number: string | number): string => String(number).padStart(2, "0");
  const date = `${year ?? ""}-${two(month)}-${two(day ?? "")}`;
  return Number.isNaN(Date.parse(date)) ? undefined : date;
}
