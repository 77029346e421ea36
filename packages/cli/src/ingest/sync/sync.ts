import type { Deployment } from "@threadlore/client/deployment";
import type { Journal } from "../journal.ts";
import { type Deletion, deleteVanished } from "./deletion.ts";
import type { CompareScope, VanishedDocument, Vanishing } from "./vanishing.ts";

/** How what vanished is deleted. */
export interface SyncPlan extends Omit<CompareScope, "journal"> {
  readonly journal: Pick<Journal, "documentsOf" | "pairsOf" | "remove">;
  /** Finds what vanished from everything that was pointed at. */
  readonly compare: (scope: CompareScope) => Promise<Vanishing>;
  readonly deployment: Pick<Deployment, "deleteDocument">;
  /** Nothing is deleted; what would be is told. */
  readonly dryRun: boolean;
  /** Most documents one run deletes. Default: ten, or a tenth of those there are. */
  readonly mostDeleted?: number | undefined;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onDeleted: (document: VanishedDocument, of: number) => void;
}

/** What became of what vanished. */
export interface SyncReport extends Pick<Vanishing, "known" | "kept" | "unplaced" | "said">, Omit<Deletion, "kept"> {
  /** Those that would have been deleted, in a dry run or where nothing may be. */
  readonly planned: readonly VanishedDocument[];
  /** Why nothing was deleted, and how to allow it. */
  readonly refusal?: string | undefined;
  /** Why nothing was deleted that another run may delete: not all of the source was read. */
  readonly partial?: string | undefined;
}

const NOTHING: Deletion = { deleted: [], kept: [], failed: [], unsupported: false };

/** Deletes on the server what vanished from the sources, within its bounds. To be called once everything was found. */
export async function syncVanished(plan: SyncPlan): Promise<SyncReport> {
  const found = await plan.compare(plan);
  const { vanished, known, kept, unplaced, said } = found;
  const report = { known, kept, unplaced, said };
  if (found.partial !== undefined) {
    return { ...report, ...NOTHING, kept, planned: [], partial: `Nothing was deleted: ${found.partial}` };
  }
  const refusal = refusalOf(plan, found);
  if (plan.dryRun || refusal !== undefined) return { ...report, ...NOTHING, kept, planned: vanished, refusal };
  const deletion = await deleteVanished({
    ...plan,
    vanished,
    onDeleted: (document) => plan.onDeleted(document, vanished.length),
  });
  return { ...report, ...deletion, kept: [...kept, ...deletion.kept], planned: [] };
}

function refusalOf({ mostDeleted }: SyncPlan, { of, vanished, known, refusal }: Vanishing): string | undefined {
  if (refusal !== undefined) {
    return `Nothing was deleted: ${refusal} If they are to be deleted, add --allow-empty.`;
  }
  const most = mostDeleted ?? usualMostDeleted(known);
  if (vanished.length <= most) return undefined;
  const usual = mostDeleted === undefined ? " unless it is told (ten, or a tenth of all)" : "";
  return `Nothing was deleted: ${vanished.length} of ${known} documents are of ${of} that vanished, and one run deletes at most ${most}${usual}. --dry-run lists them, --max-delete ${vanished.length} allows it.`;
}

/** How many documents a run deletes at most, unless it is told: a tenth of what there is, and ten at least. */
function usualMostDeleted(known: number): number {
  return Math.max(10, Math.floor(known / 10));
}
