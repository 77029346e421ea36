import { KeepersList, KeptDocuments } from "@threadlore/client/models";
import type { Caller, ServiceContext } from "../context.ts";
import { evenReply } from "../http/in-turn.ts";
import { type Route, route } from "../http/route.ts";
import { noteKeeper, otherKeepers } from "./keepers.ts";
import type { Steps } from "../store/steps.ts";
import { visiblePairs } from "../store/visibility.ts";

/** Who else keeps a page that the caller keeps. */
export function keeperRoutes(context: ServiceContext): readonly Route[] {
  return [
    route("POST /document/keepers", "ordinary", "How many others keep documents the caller keeps", {
      body: { KeptDocuments },
      reply: { KeepersList },
      handle: ({ caller }, { document_ids: ids }) =>
        evenReply(context, caller, async () => ({ documents: await context.store.read(listed(caller, ids)) })),
    }),
  ];
}

function* listed(caller: Caller, ids: readonly string[]): Steps<KeepersList["documents"]> {
  const visible = yield* visiblePairs(caller);
  // Names are for colleagues who have one here themselves.
  const found = yield* otherKeepers(caller.user, ids, visible, caller.person !== undefined);
  return found.map(({ id, others, names, updatedAt }) => ({
    document_id: id,
    others: Number(others),
    names: JSON.parse(names) as string[],
    updated_by_others_at: updatedAt === null ? null : new Date(updatedAt).toISOString(),
  }));
}

/** People keep pages with a browser's extension, which browsers name; programs keep thousands, and are nobody to be told of. */
const EXTENSION = /^[a-z-]+-extension:\/\//;

/** Notes that somebody keeps a page. That this cannot be written down does not undo that it is kept. */
export async function noteKept(
  { store, now, log }: Pick<ServiceContext, "store" | "now" | "log">,
  { caller, request, id, pairId }: { caller: Caller; request: Request; id: string; pairId: number },
): Promise<void> {
  if (!EXTENSION.test(request.headers.get("origin") ?? "")) return;
  await store
    .write(() => noteKeeper(caller.user, id, pairId, now()))
    .catch((cause: unknown) => {
      log.warn("it could not be noted who keeps a document", { cause });
    });
}
