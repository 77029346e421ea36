import {
  type CompareScope,
  type KeptDocument,
  keptForOthers,
  type VanishedDocument,
  type Vanishing,
} from "../sync/vanishing.ts";
import type { Comparing } from "./export-kinds.ts";

/** An export as this run found it. */
export interface ExportState extends Comparing {
  /** Ids of everything in it, taken or left out. */
  readonly seen: { has(id: string): boolean };
  /** Files that could not be read, by their names. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Finds what vanished from an export: earlier ones of the same place sent it, it would be in this one if it were still
 * there, and it is not. To be called when everything in it was read.
 */
export function vanishedParts(state: ExportState, scope: CompareScope): Vanishing {
  const { of, seen, reaches = () => true, doubt = () => undefined } = state;
  const { journal, shelf, instance = "", allowEmpty } = scope;
  const partial = partialOf(state);
  const [vanished, kept]: [VanishedDocument[], KeptDocument[]] = [[], []];
  const known: string[] = [];
  let beyond = 0;
  for (const collection of partial === undefined ? state.collections : []) {
    for (const [id, { file, instance: from }] of journal.documentsOf(shelf, collection)) {
      if (from !== instance || file === undefined) continue;
      if (!seen.has(id) && !reaches(id, file)) {
        beyond += 1;
        continue;
      }
      known.push(id);
      if (seen.has(id)) continue;
      const others = keptForOthers(scope, id);
      if (others === undefined) vanished.push({ id, name: file, collection, file });
      else kept.push({ id, name: file, reason: others });
    }
  }
  return {
    of,
    known: known.length,
    vanished,
    kept,
    unplaced: [],
    said: beyond === 0 || state.beyond === undefined ? [] : [`${beyond} documents ${state.beyond}`],
    refusal: allowEmpty || vanished.length === 0 ? undefined : doubt(known),
    partial,
  };
}

function partialOf({ unread, partial }: ExportState): string | undefined {
  const [first] = unread;
  if (first === undefined) return partial?.();
  const more = unread.size > 1 ? ` and ${unread.size - 1} more` : "";
  return `${first}${more} of the export could not be read, so nobody knows all that is in it. Fetch the export once more.`;
}
