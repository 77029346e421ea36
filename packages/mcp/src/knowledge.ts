import { AuthError, type Client, type ClientOptions, createClient } from "@threadlore/client";
import { createDeployment, type Deployment, type Me, permissionsOf } from "@threadlore/client/deployment";

/** A server of the interface with a key, as the tools speak to it. */
export interface Knowledge {
  readonly client: Client;
  readonly deployment: Deployment;
  /**
   * The connector/credential pair that documents are added under; null: whoever set this up said that the server may
   * choose; undefined: nobody decided, so that nothing is added where the server's choice could be public.
   */
  readonly pair: number | null | undefined;
}

/** How a server is reached, and where what is added belongs. */
export interface KnowledgeOptions extends ClientOptions {
  /** See `Knowledge.pair`. */
  readonly pair?: number | null | undefined;
}

/** Clients give up a call that takes 60 s, and say nothing of why: a server that is silent is told of before. Milliseconds. */
const SILENCE_MS = 50_000;

/**
 * A server with a key. Nothing is sent yet. Its silence is waited out for 50 s unless `timeouts` says otherwise. Throws
 * InvalidRequestError for a base URL that can never work.
 */
export function knowledgeOf({ pair, timeouts, ...given }: KnowledgeOptions): Knowledge {
  const options = { ...given, timeouts: { firstByteMs: SILENCE_MS, ...timeouts } };
  return { client: createClient(options), deployment: createDeployment(options), pair };
}

/**
 * Gives the server each time it is asked for: it may not be known yet, or be another one since. Throws
 * `KnowledgeMissing`, or the client's errors.
 */
export type KnowledgeSource = () => Knowledge | Promise<Knowledge>;

/** There is no server to ask: the message says in plain words why, and what to do. */
export class KnowledgeMissing extends Error {
  override readonly name = "KnowledgeMissing";
}

/** Longest wait for the server to be found and to say who calls, milliseconds: a list of tools is waited for. */
const CALLER_MS = 3_000;

/**
 * Who calls; undefined where the server does not say, or not in time. Throws AuthError where it lets nobody in with this
 * key, and KnowledgeMissing.
 */
export async function callerOf(source: KnowledgeSource): Promise<Me | undefined> {
  const signal = AbortSignal.timeout(CALLER_MS);
  const late = Promise.withResolvers<undefined>();
  signal.addEventListener("abort", () => late.resolve(undefined), { once: true });
  const asked = async (): Promise<Me> => (await source()).deployment.whoami({ signal });
  return Promise.race([
    asked().catch((error: unknown) => {
      if (error instanceof AuthError || error instanceof KnowledgeMissing) throw error;
      return undefined;
    }),
    late.promise,
  ]);
}

/** Whether `ingest` is offered: not where the server says that this key may not. The server still decides each call. */
export function mayIngest(me: Me | undefined): boolean {
  return me === undefined || permissionsOf(me).ingest;
}

/** Whether what is added without a pair is private: the embedded service's default pair is, deployed servers' is not. */
export function isOwnService(me: Me | undefined): boolean {
  return me?.instance != null;
}
