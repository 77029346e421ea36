import { describe, expect, it } from "vitest";
import { canonicalAddress, counterOf, networksOf, parseListenAddress, parseNetwork } from "./address.ts";

describe("an address to listen on", () => {
  it.each([
    ["0.0.0.0", { host: "0.0.0.0", port: undefined }],
    ["192.0.2.7:8443", { host: "192.0.2.7", port: 8443 }],
    ["[::]", { host: "::", port: undefined }],
    ["[::]:443", { host: "::", port: 443 }],
    ["::", { host: "::", port: undefined }],
    ["2001:DB8:0::1", { host: "2001:db8::1", port: undefined }],
    ["[::ffff:10.0.0.1]:80", { host: "10.0.0.1", port: 80 }],
    ["192.0.2.7:0", { host: "192.0.2.7", port: 0 }],
  ])("is read: %s", (text, expected) => {
    expect(parseListenAddress(text)).toEqual(expected);
  });

  it.each([
    "",
    ":8443",
    "knowledge.example.com",
    "192.0.2.7:",
    "192.0.2.7:65536",
    "192.0.2",
    "[192.0.2.7]:1",
    "[::1",
    "*",
    "192.0.2.7:8a",
  ])("is none: %j", (text) => {
    expect(parseListenAddress(text)).toBeUndefined();
  });
});

describe("an address", () => {
  it.each([
    ["::FFFF:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:c000:0207", "192.0.2.7"],
    ["2001:0DB8:0000:0:0::0001", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["010.0.0.1", undefined],
    ["2130706433", undefined],
    ["10.0.0.1 ", undefined],
    ["", undefined],
  ])("is written in one way: %j as %j", (text, expected) => {
    expect(canonicalAddress(text)).toBe(expected);
  });

  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8::6", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ])("%s counts as %s", (address, expected) => {
    expect(counterOf(address)).toBe(expected);
  });
});

describe("networks", () => {
  const has = (network: string, address: string): boolean | undefined => {
    const parsed = parseNetwork(network);
    return parsed && networksOf([parsed]).has(canonicalAddress(address) ?? "");
  };

  it.each([
    ["10.0.0.0/8", "10.255.0.1", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    // Where a socket takes both kinds, IPv4 arrives as this.
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["::ffff:10.0.0.0/104", "10.1.2.3", true],
    ["::ffff:10.0.0.0/104", "11.1.2.3", false],
    ["10.1.2.3/8", "10.9.9.9", true],
    ["192.0.2.7", "192.0.2.7", true],
    ["192.0.2.7", "192.0.2.8", false],
    ["fd00::/8", "fd12:3456::1", true],
    ["fd00::/8", "fe00::1", false],
    ["::1", "::1", true],
    ["::/1", "10.0.0.1", false],
  ])("%s has %s: %s", (network, address, expected) => {
    expect(has(network, address)).toBe(expected);
  });

  it.each(["10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "proxy", "", "fd00::/129", "::ffff:10.0.0.0/8", "fe80::1%eth0"])(
    "are none: %j",
    (text) => {
      expect(parseNetwork(text)).toBeUndefined();
    },
  );
});
