import { describe, expect, it } from "vitest";
import { HostNames, parseHost } from "./names.ts";

describe("a host", () => {
  it.each([
    ["knowledge.example.com", { name: "knowledge.example.com", port: undefined }],
    ["Knowledge.Example.COM.:8443", { name: "knowledge.example.com", port: 8443 }],
    ["münchen.example", { name: "xn--mnchen-3ya.example", port: undefined }],
    ["[2001:DB8::0:1]:443", { name: "[2001:db8::1]", port: 443 }],
    ["192.0.2.7:80", { name: "192.0.2.7", port: 80 }],
    ["2130706433", { name: "2130706433", port: undefined }],
    ["knowledge", { name: "knowledge", port: undefined }],
  ])("is read: %s", (text, expected) => {
    expect(parseHost(text)).toEqual(expected);
  });

  it.each([
    "",
    "*",
    "*.example.com",
    "https://a.example",
    "a.example/path",
    "user@a.example",
    "a.example:70000",
    "a b",
    "[::1",
    "[a]",
    "a,b",
    "a..b",
    "[fe80::1%25eth0]",
  ])("is none: %j", (text) => {
    expect(parseHost(text)).toBeUndefined();
  });
});

describe("T22 names a service was given", () => {
  const names = new HostNames(
    ["knowledge.example.com", "old.example.com:8443"].flatMap((text) => parseHost(text) ?? []),
  );

  it.each([
    ["knowledge.example.com", true],
    ["knowledge.example.com:8411", true],
    ["KNOWLEDGE.example.com.", true],
    ["old.example.com:8443", true],
    ["old.example.com", false],
    ["evil.knowledge.example.com", false],
    ["knowledge.example.com.evil.test", false],
    ["example.com", false],
    ["localhost", false],
  ])("T22 have %s: %s", (text, expected) => {
    const host = parseHost(text);
    expect(host !== undefined && names.has(host)).toBe(expected);
  });
});
