import { describe, expect, it } from "vitest";
import { isExtensionOrigin } from "./checks.ts";

describe("T21 origins that can be paired", () => {
  it.each([
    ["moz-extension://01234567-89ab-cdef-0123-456789abcdef", true],
    ["moz-extension://------------------------------------", false],
    ["moz-extension://0123456789ab-cdef-0123-456789abcdef-", false],
    [`moz-extension://${"0".repeat(36)}`, false],
    [`chrome-extension://${"a".repeat(32)}`, true],
    [`chrome-extension://${"z".repeat(32)}`, false],
  ])("T21 %s: %s", (origin, expected) => {
    expect(isExtensionOrigin(origin)).toBe(expected);
  });
});
