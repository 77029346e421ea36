import { NotFoundError, UnsupportedError } from "@threadlore/client";
import type { Deployment } from "@threadlore/client/deployment";
import { endsAll } from "../ingestion.ts";
import type { Journal, Shelf } from "../journal.ts";
import type { KeptDocument, VanishedDocument } from "./vanishing.ts";

/** What is to be deleted, and where. */
export interface DeletionPlan {
  readonly vanished: readonly VanishedDocument[];
  readonly deployment: Pick<Deployment, "deleteDocument">;
  readonly journal: Pick<Journal, "remove">;
  readonly shelf: Shelf;
  readonly instance: string | undefined;
  /** Documents deleted at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onDeleted: (file: VanishedDocument) => void;
}

/** What became of it. */
export interface Deletion {
  readonly deleted: readonly VanishedDocument[];
  /** Their files came back meanwhile. */
  readonly kept: readonly KeptDocument[];
  readonly failed: readonly KeptDocument[];
  /** The server has no such operation. */
  readonly unsupported: boolean;
  /** A failure that ended the whole run: a wrong key, a server that is gone, Ctrl-C. */
  readonly ended?: unknown;
}

/** What is said of a server that has no such operation, and what can be done. */
export const NO_DELETION =
  "This server has no operation to delete documents, so they can still be found. Whoever administers it can delete them " +
  "there; a file that is sent under the path of one replaces its document.";

/** The pair a server files a document under that was sent without one (docs/wire.md, section 3). */
const DEFAULT_PAIR = 1;

/**
 * Deletes documents on the server, each looked for once more right before. The journal notes each that is gone, so that a
 * run that was interrupted goes on with the others; one the server does not have any more counts as deleted.
 */
export async function deleteVanished(plan: DeletionPlan): Promise<Deletion> {
  const { shelf, instance, signal } = plan;
  const [deleted, kept, failed]: [VanishedDocument[], KeptDocument[], KeptDocument[]] = [[], [], []];
  const left = [...plan.vanished].toReversed();
  let unsupported = false;
  let ended: unknown;
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (ended !== undefined || unsupported || signal.aborted) return;
      const { id, name, collection, file } = next;
      if ((await next.isBack?.()) === true) {
        kept.push({ id, name, reason: "its file is there again" });
        continue;
      }
      try {
        await deleteIfThere(plan, id);
        plan.journal.remove({ ...shelf, id, instance, collection, file });
        deleted.push(next);
        plan.onDeleted(next);
      } catch (error) {
        if (error instanceof UnsupportedError) unsupported = true;
        else if (signal.aborted || endsAll(error)) ended ??= signal.aborted ? signal.reason : error;
        else failed.push({ id, name, reason: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: plan.concurrency }, work));
  if (signal.aborted) ended ??= signal.reason;
  return { deleted, kept, failed, unsupported, ended };
}

async function deleteIfThere({ deployment, shelf, signal }: DeletionPlan, id: string): Promise<void> {
  try {
    await deployment.deleteDocument(id, { pairId: shelf.pair ?? DEFAULT_PAIR, signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}
