import * as z from "zod/mini";
import { Health } from "../address/health.ts";
import type { Call } from "../http/transport.ts";
import { type Calls, get, post } from "./calls.ts";
import { Me, SearchReply, Version } from "./models.ts";
import type { Deployment } from "./operations.ts";

/** The server itself, the account of the key, and search. */
export function serverOperations(calls: Calls) {
  const { ask } = calls;
  return {
    async health(given) {
      await ask("health", { ...get("/health"), anonymous: true }, Health, given);
    },
    version: async (given) => (await ask("version", get("/version"), Version, given)).backend_version,
    whoami: (given) => ask("whoami", get("/me"), Me, given),
    async setMemory(on, given) {
      const json = { use_memories: on, enable_memory_tool: on };
      const call: Call = { method: "PATCH", path: "/user/personalization", json, repeatable: true };
      await ask("setMemory", call, z.unknown(), given);
    },
    async search(query, given) {
      return (await ask("search", { ...post("/search", query), repeatable: true }, SearchReply, given)).results;
    },
  } satisfies Partial<Deployment>;
}
