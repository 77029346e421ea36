import { BaseSequencer, type TestSpecification } from "vitest/node";
import { needsPrograms, weightOf } from "./portable-tests.ts";

/** What the order of a test file depends on. */
interface Spec {
  readonly moduleId: string;
  readonly project: { readonly config: { readonly isolate: boolean } };
}

/** Runs the files late that drive a program of Debian's packages. */
export class ProgramsLate extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    return programsLate(await super.sort(files));
  }
}

/** How many of the files that drive no program have begun before the first that does: these are installed by then. */
const AHEAD = 1 / 3;

/**
 * Files that drive a browser or another program of Debian's packages come late, as these are installed beside the others
 * where they are missing; the largest first, so that no long one is left at the end. They are spread among others, which
 * wait more than they work.
 */
export function programsLate<Test extends Spec>(tests: readonly Test[]): Test[] {
  const driving = new Set(tests.filter(({ moduleId }) => needsPrograms(moduleId)));
  const largestFirst = [...driving].toSorted((one, other) => weightOf(other.moduleId) - weightOf(one.moduleId));
  const isAlone = ({ project }: Test): boolean => project.config.isolate;
  const others = tests.filter((test) => !driving.has(test));
  // Files that share a process go on in the one that is there, as long as none comes between that is alone.
  return [
    ...others.filter(isAlone),
    ...spread(
      others.filter((test) => !isAlone(test)),
      largestFirst.filter((test) => !isAlone(test)),
    ),
    ...largestFirst.filter(isAlone),
  ];
}

/** The second list spread evenly among what the first has after those that go ahead. */
function spread<Test>(others: readonly Test[], late: readonly Test[]): Test[] {
  const ahead = Math.floor(others.length * AHEAD);
  const rest = others.slice(ahead);
  const places = [
    ...rest.map((test, at) => ({ test, place: (at + 1) / (rest.length + 1) })),
    ...late.map((test, at) => ({ test, place: at / late.length })),
  ];
  return [
    ...others.slice(0, ahead),
    ...places.toSorted((one, other) => one.place - other.place).map(({ test }) => test),
  ];
}
