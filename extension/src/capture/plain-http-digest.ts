import { sha256 } from "@noble/hashes/sha2.js";

/**
 * Gives `crypto.subtle.digest` for SHA-256 to a page over plain http, where browsers leave `crypto.subtle` out. Seen by
 * the capture script only: it has a world, and a `crypto`, of its own.
 */
export function provideDigest(scope: { readonly crypto: Crypto }): void {
  if (scope.crypto.subtle !== undefined) return;
  const digest = async (_: AlgorithmIdentifier, bytes: Uint8Array): Promise<ArrayBuffer> =>
    sha256(bytes).slice().buffer;
  Object.defineProperty(scope.crypto, "subtle", { value: { digest } });
}
