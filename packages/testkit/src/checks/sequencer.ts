import { BaseSequencer, type TestSpecification } from "vitest/node";
import { needsPrograms, weightOf } from "./portable-tests.ts";

/** What the order of a test file depends on. */
interface Spec {
  readonly moduleId: string;
  readonly project: { readonly config: { readonly isolate: boolean } };
}

/** Runs the files last that drive a program of Debian's packages. */
export class ProgramsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    return programsLast(await super.sort(files));
  }
}

/**
 * Files that drive a browser or another program of Debian's packages come last, as these are installed beside the others
 * where they are missing; the largest first, so that no long one is left at the end.
 */
export function programsLast<Test extends Spec>(tests: readonly Test[]): Test[] {
  const driving = new Set(tests.filter(({ moduleId }) => needsPrograms(moduleId)));
  const largestFirst = [...driving].toSorted((one, other) => weightOf(other.moduleId) - weightOf(one.moduleId));
  const isAlone = ({ project }: Test): boolean => project.config.isolate;
  return [
    ...tests.filter((test) => !driving.has(test)),
    // Files that share a process go on in the one that is there.
    ...largestFirst.filter((test) => !isAlone(test)),
    ...largestFirst.filter(isAlone),
  ];
}
