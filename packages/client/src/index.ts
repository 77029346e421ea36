export { baseUrlCandidates, isLoopback, normalizeBaseUrl, type BaseUrlRules } from "./base-url.ts";
export type { Timeouts } from "./call-watch.ts";
export { createClient, type CallOptions, type Client, type ClientOptions } from "./client.ts";
export {
  AbortedError,
  AnswerFailedError,
  AuthError,
  ClientError,
  InvalidRequestError,
  NotFoundError,
  PartialAnswerError,
  PermissionError,
  ProtocolError,
  RateLimitError,
  UnavailableError,
  UnsupportedError,
  WrongBaseUrlError,
  type Outcome,
  type ReplyFacts,
} from "./errors.ts";
export type { ConnectionOptions } from "./http.ts";
export type { Packet } from "./models.ts";
export { isErrorPacket, isMessageIdsPacket, isPlacedPacket, isSessionPacket, isUnknownPacket } from "./packet-kinds.ts";
export { createPacketDecoder, type PacketDecoder, type StreamLimits, type StreamOrigin } from "./packets.ts";
export { addressWords, resolveBaseUrl, type AddressState, type BaseUrlProbe, type ResolvedBaseUrl } from "./probe.ts";
export { DEFAULT_PROFILE, DEPLOYED_PROFILE, type Profile } from "./profile.ts";
export type { RetryLimits } from "./retry-policy.ts";
