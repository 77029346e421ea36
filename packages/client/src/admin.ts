import * as z from "zod/mini";
import type { CallOptions } from "./client.ts";
import { AbortedError, AuthError, InvalidRequestError, UnavailableError, UnsupportedError } from "./errors/errors.ts";
import type { ConnectionOptions } from "./http/connection-options.ts";
import type { Call } from "./http/send.ts";
import { createTransport, type Transport } from "./http/transport.ts";
import {
  AccessType,
  CredentialSwapRequest,
  CredentialSwapResponse,
  ToolValidationRequest,
  ToolValidationResponse,
} from "./models.ts";
import { checkedRequest, requestBody } from "./http/request-body.ts";

/** The two operations of the admin area. They need an administrator's key: keep them out of front ends. */
export interface AdminClient {
  /**
   * Gives a connector another credential. Deployed servers also demand the `access_type` of the connector's pair: when
   * it is not given it is looked up in the server's connector list, where there is one.
   *
   * Throws InvalidRequestError when the server still misses it, saying what is wrong: the connector it does not list, or
   * what to pass. A server that has no list of its connectors and misses it gives UnsupportedError.
   */
  swapCredential(request: CredentialSwapRequest, options?: AdminCallOptions): Promise<CredentialSwapResponse>;
  /**
   * Checks a custom tool's OpenAPI definition and gives the methods derived from it. Throws InvalidRequestError with
   * the server's reason when the definition will not do.
   */
  validateTool(request: ToolValidationRequest, options?: AdminCallOptions): Promise<ToolValidationResponse>;
}

/** What a caller may say about one admin call. */
export type AdminCallOptions = Pick<CallOptions, "signal">;

/**
 * Makes a client of the admin operations for one server and an administrator's key. Throws InvalidRequestError for a
 * base URL or key that can never work.
 */
export function createAdminClient(options: ConnectionOptions): AdminClient {
  const transport = createTransport(options);

  return {
    async swapCredential(request, { signal } = {}) {
      const { parsed, body } = requestBody(CredentialSwapRequest, request);
      const known: Access = parsed.access_type ?? (await lookUpAccess(transport, parsed.connector_id, signal));
      const isGiven = typeof known === "string";
      const json = isGiven ? { ...body, access_type: known } : body;
      const path = "/manage/admin/credential/swap";
      const call: Call = { method: "PUT", path, json, repeatable: true, slow: true, signal };
      return transport.json(call, CredentialSwapResponse).catch((error: unknown) => {
        throw withAdvice(error, isGiven ? {} : known, parsed.connector_id);
      });
    },

    async validateTool(request, { signal } = {}) {
      checkedRequest(ToolValidationRequest, request);
      const path = "/admin/tool/custom/validate";
      // The definition goes out as it is: a copy through the model could lose keys such as "__proto__".
      const json = { definition: request.definition };
      const call: Call = { method: "POST", path, json, repeatable: true, signal };
      return transport.json(call, ToolValidationResponse);
    },
  };
}

const ConnectorStatus = z.array(
  z.looseObject({ connector: z.looseObject({ id: z.number() }), access_type: z.optional(z.unknown()) }),
);

/** The access type of a connector's pair, or why it is not known: what became of looking for it. */
type Access = AccessType | { listed?: boolean; hasNoList?: true };

/** Looks in the connector list of deployed servers, which leaves out the connector of their default pair. */
async function lookUpAccess(
  transport: Transport,
  connectorId: number,
  signal: AbortSignal | undefined,
): Promise<Access> {
  const path = "/manage/admin/connector/status";
  const call: Call = { method: "GET", path, repeatable: true, signal };
  try {
    const pairs = await transport.json(call, ConnectorStatus);
    const pair = pairs.find(({ connector }) => connector.id === connectorId);
    return AccessType.safeParse(pair?.access_type).data ?? { listed: pair !== undefined };
  } catch (error) {
    if (error instanceof AbortedError || error instanceof AuthError) throw error;
    if (error instanceof UnavailableError && error.status === undefined) throw error;
    // Without the list the two specified fields are sent, and the swap itself tells what is wrong.
    return error instanceof UnsupportedError ? { hasNoList: true } : {};
  }
}

/** A refusal for want of `access_type` says what is wrong or what to pass; any other error stays as it is. */
function withAdvice(error: unknown, { listed, hasNoList }: Exclude<Access, string>, connectorId: number): unknown {
  if (!(error instanceof InvalidRequestError)) return error;
  const { status, host: at, issues } = error;
  const host = at ?? "this address";
  const facts = { status, host: at };
  const cause = { cause: error };
  // Without a swap, servers take the end of its path for the number of a credential to be changed.
  if (issues.some(({ loc }) => loc[0] === "path")) {
    return new UnsupportedError(`The server at ${host} does not swap credentials (${status}).`, facts, cause);
  }
  if (!issues.some(({ loc }) => loc.at(-1) === "access_type")) return error;
  if (hasNoList) {
    const message =
      `The server at ${host} has no list of connectors, so that it may swap no credentials. If it does, it wants the ` +
      'access_type of the connector: "public", "private" or "sync".';
    return new UnsupportedError(message, facts, cause);
  }
  if (listed === false) {
    const message = `The server at ${host} lists no connector ${connectorId}. Take a number from its list of connectors.`;
    const issue = { loc: ["body", "connector_id"], msg: message, type: "value_error" };
    return new InvalidRequestError(message, [issue], facts, cause);
  }
  return new InvalidRequestError(
    `The server at ${host} wants to know who may see the connector's documents. Pass access_type: ` +
      '"public", "private" or "sync", the same as the connector has now.',
    issues,
    facts,
    cause,
  );
}
