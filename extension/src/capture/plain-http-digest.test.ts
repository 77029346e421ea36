import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { provideDigest } from "./plain-http-digest.ts";

describe("the digest of pages over plain http", () => {
  it("gives the same SHA-256 as the browser's own", async () => {
    const crypto = {} as Crypto;
    provideDigest({ crypto });
    for (const text of ["", "Grüße", "x".repeat(100_000)]) {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      expect(Buffer.from(digest).toString("hex")).toBe(createHash("sha256").update(text).digest("hex"));
    }
  });

  it("leaves the browser's own where there is one", () => {
    const own = globalThis.crypto.subtle;
    provideDigest(globalThis);
    expect(globalThis.crypto.subtle).toBe(own);
  });
});
