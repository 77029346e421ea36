import { join, relative, sep } from "node:path";
import { isInside } from "../file-walk.ts";
import type { Collection, Journal, Shelf } from "../journal.ts";
import type { Presence, Presences } from "./presence.ts";

/** What is compared with what lies on the disk. */
export interface SyncScope {
  readonly journal: Pick<Journal, "documentsOf" | "pairsOf">;
  readonly shelf: Shelf;
  /** Which data the server has, where it tells. */
  readonly instance: string | undefined;
  /** The collections that were pointed at, and those inside of them. */
  readonly collections: readonly Collection[];
  /** Absolute paths of the folders that were pointed at, links resolved. */
  readonly folders: readonly string[];
  /** Ids of everything this run found, sent or not. */
  readonly seen: { has(id: string): boolean };
  readonly presences: Presences;
  /** Folders that are there and empty did lose their documents. */
  readonly allowEmpty: boolean;
}

/** A document whose file is not where it was. */
export interface VanishedFile {
  readonly id: string;
  /** Its path below the folder that was pointed at. */
  readonly name: string;
  readonly collection: string;
  /** Its path in its collection. */
  readonly file: string;
  /** Absolute path it had. */
  readonly place: string;
  /** The folder that was pointed at. */
  readonly folder: string;
}

/** One that stays on the server although its file was not found, and why, in plain words. */
export interface KeptFile {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
}

/** What became of the files this journal sent from these folders. */
export interface Vanishing {
  /** Documents that were sent from these folders and not deleted since. */
  readonly known: number;
  readonly vanished: readonly VanishedFile[];
  readonly kept: readonly KeptFile[];
  /** Documents of collections that were looked at whole, of which no version noted where their files lie. */
  readonly unplaced: readonly string[];
  /** Folders that were pointed at, lost documents and show nothing at all. */
  readonly emptied: readonly string[];
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
export async function vanishedFiles(scope: SyncScope): Promise<Vanishing> {
  const { journal, shelf, instance = "", presences, allowEmpty, seen } = scope;
  let known = 0;
  const [vanished, kept, unplaced]: [VanishedFile[], KeptFile[], string[]] = [[], [], []];
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
      const others = othersOf(scope, id);
      if (presence === "unreadable" || (presence === "empty" && !allowEmpty)) {
        kept.push({ id, name, reason: WHY[presence] });
      } else if (others !== undefined) kept.push({ id, name, reason: others });
      else vanished.push({ id, name, collection, file, place, folder });
    }
  }
  return { known, vanished, kept, unplaced, emptied: [...emptied] };
}

/** Servers that do not tell their data keep one document for all pairs it was sent to: deleted for one, it is for all. */
function othersOf({ journal, shelf, instance }: SyncScope, id: string): string | undefined {
  if (instance !== undefined) return undefined;
  const others = journal.pairsOf(shelf.server, id).filter((pair) => pair !== shelf.pair);
  if (others.length === 0) return undefined;
  const named = others.map((pair) => (pair === null ? "the default pair" : `pair ${pair}`)).join(", ");
  return `it was sent to ${named} too, and this server may delete a document from all its pairs at once`;
}

/** How many documents a run deletes at most, unless it is told: a tenth of what there is, and ten at least. */
export function usualMostDeleted(known: number): number {
  return Math.max(10, Math.floor(known / 10));
}
