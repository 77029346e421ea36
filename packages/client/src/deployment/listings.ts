import * as z from "zod/mini";
import { type Calls, get } from "./calls.ts";
import { Credential, DocumentSet, Pair, Persona, Tool } from "./models.ts";
import type { Deployment, ListedPair } from "./operations.ts";

/** What a server lists of itself. */
export function listingOperations(calls: Calls) {
  const { ask, askAbout } = calls;
  return {
    personas: (given) => ask("personas", get("/persona"), z.array(Persona), given),
    documentSets: (given) => ask("documentSets", get("/manage/document-set"), z.array(DocumentSet), given),
    tools: (given) => ask("tools", get("/tool"), z.array(Tool), given),

    async pairs(given) {
      const listed = await ask("pairs", get("/manage/admin/connector/status"), z.array(Pair), given);
      return listed.flatMap((pair) => numbered(pair) ?? []);
    },
    async pair(pairId, given) {
      const pair = await askAbout(String(pairId), "pair", get(`/manage/admin/cc-pair/${pairId}`), Pair, given);
      return { ...pair, cc_pair_id: pairId };
    },
    credentials: (given) => ask("credentials", get("/manage/admin/credential"), z.array(Credential), given),
  } satisfies Partial<Deployment>;
}

function numbered(pair: Pair): ListedPair | undefined {
  const number = pair.cc_pair_id ?? pair.id;
  return number === undefined ? undefined : { ...pair, cc_pair_id: number };
}
