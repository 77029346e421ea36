import type { Deployment } from "@threadlore/client/deployment";
import type { Journal } from "../journal.ts";
import { type Deletion, deleteVanished } from "./deletion.ts";
import { Presences } from "./presence.ts";
import { type SyncScope, usualMostDeleted, type VanishedFile, vanishedFiles, type Vanishing } from "./vanished.ts";

/** How what vanished is deleted. */
export interface SyncPlan extends Omit<SyncScope, "presences" | "journal"> {
  readonly journal: Pick<Journal, "documentsOf" | "pairsOf" | "remove">;
  readonly deployment: Pick<Deployment, "deleteDocument">;
  /** Nothing is deleted; what would be is told. */
  readonly dryRun: boolean;
  /** Most documents one run deletes. Default: ten, or a tenth of those there are. */
  readonly mostDeleted?: number | undefined;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onDeleted: (file: VanishedFile, of: number) => void;
}

/** What became of what vanished. */
export interface SyncReport extends Omit<Vanishing, "vanished" | "emptied">, Omit<Deletion, "kept"> {
  /** Those that would have been deleted, in a dry run or where nothing may be. */
  readonly planned: readonly VanishedFile[];
  /** Why nothing was deleted, and how to allow it. */
  readonly refusal?: string | undefined;
}

const NOTHING: Deletion = { deleted: [], kept: [], failed: [], unsupported: false };

/** Deletes on the server what vanished from the folders, within its bounds. To be called once everything was found. */
export async function syncVanished(plan: SyncPlan): Promise<SyncReport> {
  const presences = new Presences();
  const { vanished, emptied, known, kept, unplaced } = await vanishedFiles({ ...plan, presences });
  const found = { known, kept, unplaced };
  const refusal = refusalOf(plan, { vanished, emptied, known });
  if (plan.dryRun || refusal !== undefined) return { ...found, ...NOTHING, kept, planned: vanished, refusal };
  const deletion = await deleteVanished({
    ...plan,
    vanished,
    presences,
    onDeleted: (file) => plan.onDeleted(file, vanished.length),
  });
  return { ...found, ...deletion, kept: [...kept, ...deletion.kept], planned: [] };
}

function refusalOf(
  { allowEmpty, mostDeleted }: SyncPlan,
  { vanished, emptied, known }: Pick<Vanishing, "vanished" | "emptied" | "known">,
): string | undefined {
  const [empty] = emptied;
  if (empty !== undefined && !allowEmpty) {
    return `Nothing was deleted: ${empty} is empty, and documents were sent from it. A disk that is not mounted looks like that. If they are to be deleted, add --allow-empty.`;
  }
  const most = mostDeleted ?? usualMostDeleted(known);
  if (vanished.length <= most) return undefined;
  const usual = mostDeleted === undefined ? " unless it is told (ten, or a tenth of all)" : "";
  return `Nothing was deleted: ${vanished.length} of ${known} documents are of files that vanished, and one run deletes at most ${most}${usual}. --dry-run lists them, --max-delete ${vanished.length} allows it.`;
}
