/** What a conversation needs of a server, for callers that keep nothing there and want complete answers from nobody. */
import type { Client, ClientOptions } from "../client.ts";
import { Calls } from "../deployment/calls.ts";
import type { Sessions } from "../deployment/operations.ts";
import { sessionOperations } from "../deployment/sessions.ts";
import { createTransport } from "../http/transport.ts";
import { messageStream } from "../stream/message-stream.ts";
import { DEFAULT_STREAM_LIMITS } from "../stream/packet-decoder.ts";
import { withDefaults } from "../with-defaults.ts";

/** Messages with streamed answers, and the sessions they stand in. */
export type Conversations = Pick<Client, "streamMessage"> & Sessions;

/**
 * Makes the part of `createClient` and `createDeployment` that converses, over one connection. Nothing is sent yet. Throws
 * InvalidRequestError for a base URL that can never work.
 */
export function createConversations(options: ClientOptions): Conversations {
  const transport = createTransport(options);
  const limits = withDefaults(DEFAULT_STREAM_LIMITS, options.limits);
  return { streamMessage: messageStream(transport, limits), ...sessionOperations(new Calls(transport)) };
}
