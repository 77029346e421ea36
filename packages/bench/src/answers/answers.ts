import { type Bar, missedOf } from "../bars.ts";
import type { Group, Outcome } from "../report.ts";
import type { Loss, Served } from "./collection.ts";
import { CONTRADICTION_BARS, contradictionGroups } from "./contradiction-rows.ts";
import { handbookBars, handbookGroups, languageGroups } from "./handbook.ts";
import { MEANING_BARS, meaningGroups } from "./meaning-rows.ts";
import { NOISE_BARS, noiseGroups } from "./noise-rows.ts";
import { PUBLIC_BARS, publicGroups } from "./public-sets.ts";
import { TYPO_BARS, typoGroups } from "./typo-rows.ts";

/** What is measured, and of which service. */
export interface AnswersSize extends Served {
  /** Some of the parts by name. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Passages of other prose the handbook stands among. */
  readonly others: readonly number[];
  /** Questions of each public set. */
  readonly sample: number;
}

/** Writes what was lost, a line of JSON each: only of what may be looked at. */
export function tellLoss({ question, what, reply }: Loss): void {
  if (question.part === "frozen") return;
  const { id, q, gold } = question;
  const { text, cited, shown, finding } = reply;
  console.error(JSON.stringify({ lost: what, id, q, gold, text, cited, shown: shown.slice(0, 3), finding }));
}

/** A part of the bench that can be run by itself. */
interface Part {
  bars(size: AnswersSize): readonly Bar[];
  run(size: AnswersSize): Promise<Group[]>;
}

/** Every part by its name. */
const PARTS: Readonly<Record<string, Part>> = {
  public: { bars: () => PUBLIC_BARS, run: (size) => publicGroups(size, size.sample) },
  handbook: { bars: ({ others }) => handbookBars(others), run: (size) => handbookGroups(size, size.others) },
  languages: { bars: () => [], run: languageGroups },
  typos: { bars: () => TYPO_BARS, run: typoGroups },
  noise: { bars: () => NOISE_BARS, run: noiseGroups },
  contradictions: { bars: () => CONTRADICTION_BARS, run: contradictionGroups },
  meaning: { bars: () => MEANING_BARS, run: meaningGroups },
};

/** So many parts are run at once: each asks one question after the other, and no figure is a time. */
const AT_ONCE = 2;

/** How often the embedded service is right, and how often it knows that it is not; without a model. */
export async function benchAnswers(size: AnswersSize): Promise<Outcome> {
  const names = size.only ?? Object.keys(PARTS);
  const unknown = names.find((name) => PARTS[name] === undefined);
  if (unknown !== undefined) {
    return { groups: [], missed: [`there is no part "${unknown}"; there are ${Object.keys(PARTS).join(", ")}.`] };
  }
  const parts = names.flatMap((name) => PARTS[name] ?? []);
  const found: Group[][] = [];
  const waiting = [...parts.entries()];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, part] = next;
      found[at] = await part.run(size);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  const groups = found.flat();
  return {
    groups,
    missed: missedOf(
      groups,
      parts.flatMap((part) => part.bars(size)),
    ),
  };
}
