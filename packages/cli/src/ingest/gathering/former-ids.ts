import { fileId } from "@threadlore/documents";
import type { CollectionChoice, Collections } from "../collections.ts";
import { UsageError } from "../../exit-codes.ts";
import type { FoundFile, Refusal } from "../file-walk.ts";

/** Files of equal name that are read, at most, to find one that was sent as it is. */
const MAX_READ = 50;

/**
 * Earlier versions made ids of the path below the folder that was pointed at, and did not note the folder. Decides for
 * each collection whether those ids are its own: then it goes on with them, and nothing is there twice. It is where one
 * file is still what was sent. Where names alone are equal nobody can know; then a person says it, since files of another
 * folder would be replaced. The decision is kept in the journal. Throws UsageError where it has to be said.
 * @param files everything that would be sent
 * @param hashAs hash of what an earlier version would have sent for a file, undefined where it cannot be read
 */
export async function decideFormerIds(
  choice: CollectionChoice,
  collections: Collections,
  files: AsyncIterable<FoundFile | Refusal>,
  hashAs: (file: FoundFile) => Promise<string | undefined>,
): Promise<void> {
  const { journal, shelf } = choice;
  if (!journal.hasUnnamed(shelf)) return;
  const undecided = new Set(
    collections.involved.map(({ name }) => name).filter((name) => journal.goesOn(shelf, name) === undefined),
  );
  /** Files that only have the name of one that was sent. */
  const alike = new Map<string, FoundFile[]>();
  if (undecided.size > 0) {
    for await (const found of files) {
      if ("reason" in found) continue;
      const { name } = collections.of(found);
      const newest = undecided.has(name) ? journal.newest(shelf, await fileId(found.name)) : undefined;
      if (newest === undefined || newest.collection !== undefined) continue;
      const before = alike.get(name) ?? [];
      if (before.length >= MAX_READ) continue;
      if ((await hashAs(found)) === newest.hash) {
        journal.decide(shelf, name, true);
        undecided.delete(name);
        if (undecided.size === 0) break;
      } else alike.set(name, [...before, found]);
    }
  }
  for (const name of undecided) {
    const [example] = alike.get(name) ?? [];
    if (example !== undefined && choice.name === undefined && choice.takeOver !== true) throw unclear(example);
    journal.decide(shelf, name, example !== undefined && choice.takeOver === true);
  }
}

function unclear({ name, folder }: FoundFile): UsageError {
  return new UsageError(
    `Nothing was sent: an earlier version of threadlore sent a file named ${name} to this pair and did not note from which folder.`,
    `If it came from ${folder}, add --take-over: what is there is updated. If not, --collection NAME keeps this folder apart.`,
  );
}
