import * as z from "zod/mini";
import { isUnknownRoute, keptId, pathSegment } from "../http/path-segment.ts";
import type { Call } from "../http/transport.ts";
import { type Calls, get, remove } from "./calls.ts";
import { IngestedDocument } from "./models.ts";
import type { Deployment } from "./operations.ts";

/** Documents that were ingested. `ingestionPath`: where they are ingested, from the base URL on. */
export function documentOperations(calls: Calls, ingestionPath: string) {
  const { ask, askAbout, memory, transport } = calls;
  return {
    documents({ pairId } = {}, given) {
      const documents = z.array(IngestedDocument);
      if (pairId === undefined) return ask("documents", get(ingestionPath), documents, given);
      const ofPair = `${ingestionPath.slice(0, ingestionPath.lastIndexOf("/"))}/connector-docs/${pairId}`;
      return askAbout(String(pairId), "documents", get(ofPair), documents, given);
    },
    async deleteDocument(documentId, { pairId, ...given } = {}) {
      const query = { cc_pair_id: pairId };
      const by = async (id: string) => {
        const call: Call = { ...remove(`${ingestionPath}/${pathSegment(id)}`), query };
        await transport.json({ ...call, signal: given.signal }, z.unknown());
      };
      await by(documentId).catch((error: unknown) => {
        if (!isUnknownRoute(error) || keptId(documentId) === documentId) throw error;
        return by(keptId(documentId));
      });
      memory.answered("deleteDocument");
    },
  } satisfies Partial<Deployment>;
}
