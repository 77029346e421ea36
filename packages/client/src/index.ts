export { isLoopback, normalizeBaseUrl, type BaseUrlRules } from "./address/base-url.ts";
export { createClient, type CallOptions, type Client, type ClientOptions } from "./client.ts";
export * from "./errors/errors.ts";
export type { ConnectionOptions, RetryLimits, Timeouts } from "./http/connection-options.ts";
export type { Packet } from "./models.ts";
export {
  createPacketDecoder,
  type PacketDecoder,
  type StreamLimits,
  type StreamOrigin,
} from "./stream/packet-decoder.ts";
export {
  addressWords,
  resolveBaseUrl,
  type AddressState,
  type BaseUrlProbe,
  type ResolvedBaseUrl,
} from "./address/resolve-base-url.ts";
export { DEFAULT_PROFILE, DEPLOYED_PROFILE, type Profile } from "./profile.ts";
