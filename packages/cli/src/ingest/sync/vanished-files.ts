import { join, relative, sep } from "node:path";
import { isInside } from "../file-walk.ts";
import type { Collection } from "../journal.ts";
import type { Presence, Presences } from "./presence.ts";
import {
  type CompareScope,
  type KeptDocument,
  keptForOthers,
  type VanishedDocument,
  type Vanishing,
} from "./vanishing.ts";

/** What is compared with what lies on the disk. */
export interface FolderScope extends CompareScope {
  /** The collections that were pointed at, and those inside of them. */
  readonly collections: readonly Collection[];
  /** Absolute paths of the folders that were pointed at, links resolved. */
  readonly folders: readonly string[];
  /** Ids of everything this run found, sent or not. */
  readonly seen: { has(id: string): boolean };
  readonly presences: Presences;
}

const WHY: Readonly<Record<Exclude<Presence, "there" | "gone">, string>> = {
  unreadable: "its folder cannot be looked at, so nobody knows whether it is still there",
  empty:
    "its folder is there and empty, as one is whose disk is not mounted. --allow-empty says that it is to be deleted",
};

/**
 * Finds the documents whose files vanished: this journal sent them to this pair, from these folders, and their files are
 * surely gone. What was only left out of this run, or cannot be looked at, is not.
 */
export async function vanishedFiles(scope: FolderScope): Promise<Vanishing> {
  const { journal, shelf, instance = "", presences, allowEmpty, seen } = scope;
  let known = 0;
  const [vanished, kept, unplaced]: [VanishedDocument[], KeptDocument[], string[]] = [[], [], []];
  const emptied = new Set<string>();
  for (const { name: collection, root } of scope.collections) {
    for (const [id, { file, instance: of }] of journal.documentsOf(shelf, collection)) {
      if (of !== instance) continue;
      if (file === undefined) {
        if (seen.has(id)) known += 1;
        else if (scope.folders.some((folder) => isInside(folder, root))) unplaced.push(id);
        continue;
      }
      const place = join(root, file);
      const folder = scope.folders.find((one) => isInside(one, place));
      if (folder === undefined) continue;
      known += 1;
      if (seen.has(id)) continue;
      const name = relative(folder, place).split(sep).join("/");
      const presence = await presences.of(place, folder);
      if (presence === "there") continue;
      if (presence === "empty" && (await presences.isEmpty(folder))) emptied.add(folder);
      const others = keptForOthers(scope, id);
      if (presence === "unreadable" || (presence === "empty" && !allowEmpty)) {
        kept.push({ id, name, reason: WHY[presence] });
      } else if (others !== undefined) kept.push({ id, name, reason: others });
      else {
        vanished.push({ id, name, collection, file, isBack: () => presences.isBack(place, folder) });
      }
    }
  }
  const [empty] = allowEmpty ? [] : emptied;
  const refusal =
    empty && `${empty} is empty, and documents were sent from it. A disk that is not mounted looks like that.`;
  return { of: "files", known, vanished, kept, unplaced, said: [], refusal };
}
