import * as z from "zod/mini";
import { Health } from "../address/health.ts";
import { isUnknownRoute, keptId, pathSegment } from "../http/path-segment.ts";
import type { Call } from "../http/send.ts";
import { type Calls, get, post, remove } from "./calls.ts";
import {
  Credential,
  DocumentSet,
  DocumentText,
  IngestedDocument,
  Me,
  Pair,
  Persona,
  SearchReply,
  Tool,
  Version,
} from "./models.ts";
import type { ListedPair, Resources } from "./operations.ts";

/**
 * The server itself, the account of the key, search, what the server lists of itself, and documents that were ingested.
 * @param ingestionPath where documents are ingested, from the base URL on
 */
export function resourceOperations(calls: Calls, ingestionPath: string): Resources {
  return {
    async health(given) {
      await calls.ask("health", { ...get("/health"), anonymous: true }, Health, given);
    },
    version: async (given) => (await calls.ask("version", get("/version"), Version, given)).backend_version,
    whoami: (given) => calls.ask("whoami", get("/me"), Me, given),
    async setMemory(on, given) {
      const json = { use_memories: on, enable_memory_tool: on };
      const call: Call = { method: "PATCH", path: "/user/personalization", json, repeatable: true };
      await calls.ask("setMemory", call, z.unknown(), given);
    },
    async search(query, given) {
      return (await calls.ask("search", { ...post("/search", query), repeatable: true }, SearchReply, given)).results;
    },
    documentText(documentId, { from, most, pages } = {}, given) {
      const call = get("/document/text", { document_id: documentId, from, most, pages });
      return calls.ask("documentText", call, DocumentText, given);
    },

    personas: (given) => calls.ask("personas", get("/persona"), z.array(Persona), given),
    documentSets: (given) => calls.ask("documentSets", get("/manage/document-set"), z.array(DocumentSet), given),
    tools: (given) => calls.ask("tools", get("/tool"), z.array(Tool), given),
    async pairs(given) {
      const listed = await calls.ask("pairs", get("/manage/admin/connector/status"), z.array(Pair), given);
      return listed.flatMap((pair) => numbered(pair) ?? []);
    },
    async pair(pairId, given) {
      const pair = await calls.askAbout(String(pairId), "pair", get(`/manage/admin/cc-pair/${pairId}`), Pair, given);
      return { ...pair, cc_pair_id: pairId };
    },
    credentials: (given) => calls.ask("credentials", get("/manage/admin/credential"), z.array(Credential), given),

    async documents({ pairId, documentId, most, oldest } = {}, given) {
      const query = { document_id: documentId, most, oldest };
      const ofPair = `${ingestionPath.slice(0, ingestionPath.lastIndexOf("/"))}/connector-docs/${pairId}`;
      const documents = z.array(IngestedDocument);
      const listed = await (pairId === undefined
        ? calls.ask("documents", get(ingestionPath, query), documents, given)
        : calls.askAbout(String(pairId), "documents", get(ofPair, query), documents, given));
      return listed.filter(({ document_id: id }) => documentId === undefined || id === documentId).slice(0, most);
    },
    async deleteDocument(documentId, { pairId, ...given } = {}) {
      const query = { cc_pair_id: pairId };
      const by = async (id: string) => {
        const call: Call = { ...remove(`${ingestionPath}/${pathSegment(id)}`), query };
        await calls.transport.json({ ...call, signal: given.signal }, z.unknown());
      };
      await by(documentId).catch((error: unknown) => {
        if (!isUnknownRoute(error) || keptId(documentId) === documentId) throw error;
        return by(keptId(documentId));
      });
      calls.memory.answered("deleteDocument");
    },
  };
}

function numbered(pair: Pair): ListedPair | undefined {
  const number = pair.cc_pair_id ?? pair.id;
  return number === undefined ? undefined : { ...pair, cc_pair_id: number };
}
