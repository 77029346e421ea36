import type * as z from "zod/mini";
import type { CallOptions } from "../client.ts";
import type { Call, Transport } from "../http/transport.ts";
import { aboutId } from "../http/path-segment.ts";
import type { Deployment } from "./operations.ts";
import { rememberSupport, type SupportMemory } from "./support.ts";

/** The ways an operation calls the server, and what is remembered of which operations it has. */
export interface Calls {
  readonly transport: Transport;
  readonly memory: SupportMemory;
  /** One operation: one call, whose reply must have this shape. */
  ask<Schema extends z.ZodMiniType>(
    operation: keyof Deployment,
    call: Call,
    schema: Schema,
    options?: CallOptions,
  ): Promise<z.output<Schema>>;
  /** As `ask`, for a call with an id in its path: what the server says of one id's path is not remembered for others. */
  askAbout<Schema extends z.ZodMiniType>(
    id: string,
    operation: keyof Deployment,
    call: Call,
    schema: Schema,
    options?: CallOptions,
  ): Promise<z.output<Schema>>;
}

export function createCalls(transport: Transport): Calls {
  const memory = rememberSupport();
  return {
    transport,
    memory,
    ask: (operation, call, schema, { signal } = {}) =>
      memory.attempt(operation, () => transport.json({ ...call, signal }, schema)),
    async askAbout(id, operation, call, schema, { signal } = {}) {
      try {
        const result = await transport.json({ ...call, signal }, schema);
        memory.answered(operation);
        return result;
      } catch (error) {
        throw aboutId(error, id);
      }
    },
  };
}

export const get = (path: string, query: Call["query"] = {}): Call => ({
  method: "GET",
  path,
  query,
  repeatable: true,
});
export const remove = (path: string): Call => ({ method: "DELETE", path, repeatable: true });
export const post = (path: string, json?: unknown): Call => ({ method: "POST", path, json, repeatable: false });
