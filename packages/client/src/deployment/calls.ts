import type * as z from "zod/mini";
import type { CallOptions } from "../client.ts";
import type { Call } from "../http/send.ts";
import type { Transport } from "../http/transport.ts";
import { aboutId } from "../http/path-segment.ts";
import type { Deployment } from "./operations.ts";
import { SupportMemory } from "./support.ts";

/** The ways an operation calls the server, and what is remembered of which operations it has. */
export class Calls {
  readonly memory = new SupportMemory();
  readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** One operation: one call, whose reply must have this shape. */
  ask<Schema extends z.ZodMiniType>(
    operation: keyof Deployment,
    call: Call,
    schema: Schema,
    { signal }: CallOptions = {},
  ): Promise<z.output<Schema>> {
    return this.memory.attempt(operation, () => this.transport.json({ ...call, signal }, schema));
  }

  /** As `ask`, for a call with an id in its path: what the server says of one id's path is not remembered for others. */
  async askAbout<Schema extends z.ZodMiniType>(
    id: string,
    operation: keyof Deployment,
    call: Call,
    schema: Schema,
    { signal }: CallOptions = {},
  ): Promise<z.output<Schema>> {
    const result = await this.transport.json({ ...call, signal }, schema).catch((error: unknown) => {
      throw aboutId(error, id);
    });
    this.memory.answered(operation);
    return result;
  }
}

export const get = (path: string, query: Call["query"] = {}): Call => ({
  method: "GET",
  path,
  query,
  repeatable: true,
});
export const remove = (path: string): Call => ({ method: "DELETE", path, repeatable: true });
export const post = (path: string, json?: unknown): Call => ({ method: "POST", path, json, repeatable: false });
