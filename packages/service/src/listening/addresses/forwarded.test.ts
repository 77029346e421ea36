import { quickest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { networksOf, parseNetwork } from "./address.ts";
import { forwardedBy } from "./forwarded.ts";

const trusted = networksOf(["10.0.0.0/8", "fd00::/8"].flatMap((text) => parseNetwork(text) ?? []));
const from = (peer: string, headers: Record<string, string | string[]>) =>
  forwardedBy(
    peer,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()])),
    trusted,
  );

describe("T38 who asks, behind a proxy", () => {
  it("is nobody but the sender where the sender is not trusted, whatever its headers say", () => {
    const headers = {
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.test",
      forwarded: "for=192.0.2.1;host=evil.test;proto=https",
    };
    expect(from("198.51.100.9", headers)).toEqual({ address: "198.51.100.9", isForwarded: false });
  });

  it.each<[title: string, list: string | string[], expected: string]>([
    ["one", "192.0.2.1", "192.0.2.1"],
    ["the nearest that is not trusted", "203.0.113.66, 192.0.2.1, 10.0.0.7", "192.0.2.1"],
    ["not what was sent along", "10.0.0.1, 192.0.2.1", "192.0.2.1"],
    ["over several lines", ["203.0.113.66", "192.0.2.1", "10.0.0.7"], "192.0.2.1"],
    ["the farthest where all are trusted", "10.0.0.9, 10.0.0.8", "10.0.0.9"],
    ["with a port", "192.0.2.1:4711", "192.0.2.1"],
    ["of IPv6 with a port", "[2001:DB8::1]:4711", "2001:db8::1"],
    ["of IPv6 without", "2001:db8::1", "2001:db8::1"],
    ["IPv4 written as IPv6, trusted too", "192.0.2.1, ::ffff:10.0.0.7", "192.0.2.1"],
    ["no farther than what cannot be read", "203.0.113.66, unknown, 10.0.0.7", "10.0.0.7"],
    ["the proxy where the list is empty", "", "10.0.0.2"],
    ["the proxy where the list is nonsense", ";;, <script>", "10.0.0.2"],
    ["the proxy where nothing stands between commas", "192.0.2.1,,", "10.0.0.2"],
    ["with much before it", `${"203.0.113.66, ".repeat(10_000)}192.0.2.1, 10.0.0.7`, "192.0.2.1"],
    ["not forever", "10.0.0.7, ".repeat(10_000), "10.0.0.2"],
  ])("is %s", (_, list, expected) => {
    expect(from("10.0.0.2", { "x-forwarded-for": list })).toMatchObject({ address: expected, isForwarded: true });
  });

  it.each<[header: string, expected: unknown]>([
    ["for=192.0.2.1", { address: "192.0.2.1" }],
    [
      'for=203.0.113.66, For="[2001:db8::1]:4711";proto=HTTPS;host="knowledge.example.com", for=10.0.0.7',
      { address: "2001:db8::1" },
    ],
    [
      'for="203.0.113.66, for=192.0.2.9";proto=https;host=a.example',
      { address: "10.0.0.2", protocol: "https", host: "a.example" },
    ],
    ["for=_hidden;proto=gopher", { address: "10.0.0.2", protocol: undefined }],
    [
      "by=10.0.0.2;for=192.0.2.1;host=knowledge.example.com;proto=http",
      { protocol: "http", host: "knowledge.example.com" },
    ],
  ])("is read of %s", (header, expected) => {
    expect(from("10.0.0.2", { forwarded: header })).toMatchObject({ ...(expected as object), isForwarded: true });
  });

  it("is not decided where two headers name two people", () => {
    const both = (one: string, other: string) =>
      from("10.0.0.2", { "x-forwarded-for": one, forwarded: `for=${other}` });
    expect(both("192.0.2.1", "192.0.2.2")).toBeUndefined();
    expect(both("192.0.2.1", "192.0.2.1")?.address).toBe("192.0.2.1");
    // What the proxy does not write itself, it may pass on from whoever asks.
    expect(from("10.0.0.2", { "x-forwarded-proto": "https", forwarded: "for=192.0.2.2" })).toBeUndefined();
  });

  it("is asked for the host and by the protocol that the nearest proxy says", () => {
    const headers = {
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-proto": "http, https",
      "x-forwarded-host": ["evil.test", "knowledge.example.com"],
    };
    expect(from("10.0.0.2", headers)).toMatchObject({ protocol: "https", host: "knowledge.example.com" });
    expect(from("fd00::2", {})).toEqual({ address: "fd00::2", isForwarded: false });
  });

  it.each(['for="'.repeat(4_000), "a".repeat(16_000), '"\\'.repeat(8_000), ",".repeat(16_000)])(
    "is read in time that grows with what was sent",
    async (text) => {
      const reading = async (): Promise<number> => {
        const began = performance.now();
        from("10.0.0.2", { forwarded: text, "x-forwarded-for": text });
        return performance.now() - began;
      };
      expect(await quickest(50, reading)).toBeLessThan(50);
    },
  );
});
