import * as z from "zod/mini";
import type { CallOptions } from "../client.ts";
import type { DeploymentOptions } from "../deployment.ts";
import { pathSegment } from "../http/path-segment.ts";
import { createTransport } from "../http/transport.ts";
import { Ask, AskList, type Keepers, KeepersList, WaitingAsks } from "../models/asks.ts";
import type { NewAsk } from "../models/new-asks.ts";

/**
 * Asks: questions somebody wants people of their company to read and answer. The embedded service has them where a bot stands
 * beside it, which `whoami` tells (`asks_people`). Of a server that has not, every operation throws UnsupportedError; everything
 * throws the client's own errors, and of an ask that is not there NotFoundError.
 */
export interface Asks {
  /**
   * Agrees that people read these words, and asks them. Safe to repeat: the same words are the same ask. Throws
   * InvalidRequestError where nobody is there to read them, or too many wait.
   */
  ask(ask: NewAsk, options?: CallOptions): Promise<Ask>;
  /** The caller's own, newest first. */
  mine(options?: CallOptions): Promise<readonly Ask[]>;
  /** Its asker was shown what became of it. */
  told(askId: string, options?: CallOptions): Promise<void>;
  /** Takes it back: its words are forgotten, and what was shown to people is taken away. Nothing there is no error. */
  withdraw(askId: string, options?: CallOptions): Promise<void>;
  /** What is to be shown to people, for the program that does so: that it looks tells the service that somebody is there. */
  waiting(options?: CallOptions): Promise<WaitingAsks>;
  /** It was shown. Safe to repeat. */
  taken(askId: string, where?: string, options?: CallOptions): Promise<void>;
  /** What was shown of a withdrawn one is taken away. */
  gone(askId: string, options?: CallOptions): Promise<void>;
  /** Who else keeps these documents, of those the caller may see; at most 100 ids. */
  keepers(documentIds: readonly string[], options?: CallOptions): Promise<readonly Keepers[]>;
}

/** Makes the client of asks. Throws InvalidRequestError for a base URL that can never work. */
export function createAsks(options: DeploymentOptions): Asks {
  const transport = createTransport(options);
  const call = <Schema extends z.ZodMiniType>(
    line: { readonly method: "GET" | "POST" | "DELETE"; readonly path: string; readonly json?: unknown },
    schema: Schema,
    { signal }: CallOptions = {},
  ) => transport.json({ ...line, signal, repeatable: true }, schema);
  const done = async (method: "POST" | "DELETE", path: string, given?: CallOptions, json?: unknown): Promise<void> => {
    await call({ method, path, json }, z.unknown(), given);
  };
  return {
    ask: (json, given) => call({ method: "POST", path: "/gaps/asks", json }, Ask, given),
    mine: async (given) => (await call({ method: "GET", path: "/gaps/mine" }, AskList, given)).asks,
    told: (id, given) => done("POST", `/gaps/mine/${pathSegment(id)}/told`, given),
    withdraw: (id, given) => done("DELETE", `/gaps/mine/${pathSegment(id)}`, given),
    waiting: (given) => call({ method: "GET", path: "/gaps/asks" }, WaitingAsks, given),
    taken: (id, where, given) => done("POST", `/gaps/asks/${pathSegment(id)}/taken`, given, { where }),
    gone: (id, given) => done("DELETE", `/gaps/asks/${pathSegment(id)}`, given),
    keepers: async (document_ids, given) =>
      (await call({ method: "POST", path: "/document/keepers", json: { document_ids } }, KeepersList, given)).documents,
  };
}
