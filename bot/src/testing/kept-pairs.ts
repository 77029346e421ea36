import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "@threadlore/testkit";

/** A kept answer and a newer document, which says otherwise or only looks so. */
export interface KeptPair {
  readonly id: string;
  readonly question: string;
  readonly kept: string;
  readonly newer: { readonly title: string; readonly text: string };
  readonly contradicts: boolean;
}

const FIXTURES = "packages/service/src/kept/fixtures";
const LOOKED_AT = ["contradictions", "contradictions-more"];
const KEPT_BACK = [...LOOKED_AT, "contradictions-companies"].map((name) => `${name}-kept-back`);

/**
 * Fixtures of the service: pairs that its rules were made with, or with `keptBack` those by which nothing was chosen.
 * @param every every so manieth of them
 */
export function keptPairs({ keptBack = false, every = 1 } = {}): readonly KeptPair[] {
  return (keptBack ? KEPT_BACK : LOOKED_AT).flatMap(pairsOf).filter((_, at) => at % every === 0);
}

const pairsOf = (name: string): readonly KeptPair[] =>
  JSON.parse(readFileSync(join(repositoryRoot, FIXTURES, `${name}.json`), "utf8")) as readonly KeptPair[];
