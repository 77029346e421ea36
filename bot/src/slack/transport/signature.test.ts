import { createHmac } from "node:crypto";
import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { createSignatureCheck, type SignedRequest } from "./signature.ts";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const NOW = 1_800_000_000_000;

function signed(body: string, at = NOW / 1000, secret = SECRET): SignedRequest {
  const signature = `v0=${createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex")}`;
  return { timestamp: String(at), signature, body };
}

const check = (now = NOW) => createSignatureCheck(SECRET, () => now);

describe("a signed request", () => {
  it("is taken once, and its replay is not", () => {
    const judge = check();
    const request = signed('{"type":"event_callback"}');
    expect(judge(request)).toBeUndefined();
    expect(judge(request)).toBe("replayed");
    expect(judge(signed('{"type":"event_callback"}', NOW / 1000 + 1))).toBeUndefined();
  });

  it.each([
    [-300, undefined],
    [-301, "clock"],
    [300, undefined],
    [301, "clock"],
    [31_536_000, "clock"],
  ])("signed %d seconds from now: %s", (seconds, problem) => {
    expect(check()(signed("{}", NOW / 1000 + seconds))).toBe(problem);
  });

  it("with a clock ten minutes off says that it is the clock, and only for what is signed well", () => {
    expect(check()(signed("{}", NOW / 1000 - 600))).toBe("clock");
    expect(check()(signed("{}", NOW / 1000 - 600, "another secret"))).toBe("wrong");
  });

  it.each<[string, Partial<SignedRequest>]>([
    ["no signature", { signature: undefined }],
    ["no time", { timestamp: undefined }],
  ])("with %s is unsigned", (_, change) => {
    expect(check()({ ...signed("{}"), ...change })).toBe("unsigned");
  });

  it.each<[string, Partial<SignedRequest>]>([
    ["another version", { signature: signed("{}").signature?.replace("v0", "v1") }],
    ["an empty signature", { signature: "" }],
    ["upper-case digits", { signature: signed("{}").signature?.toUpperCase() }],
    ["full-width digits in the time", { timestamp: "１８００００００００" }],
    ["a time with a fraction", { timestamp: "1800000000.5" }],
    ["a time in hexadecimal", { timestamp: "0x6b49d200" }],
    ["blanks around the time", { timestamp: " 1800000000 " }],
    ["two signatures", { signature: `${signed("{}").signature},${signed("{}").signature}` }],
  ])("with %s is refused", (_, change) => {
    expect(check()({ ...signed("{}"), ...change })).toBe("wrong");
  });

  it("changed in any one place is refused: 10,000 changes, none passes", () => {
    const random = seededRandom(16);
    const judge = check();
    const original = signed(
      JSON.stringify({ type: "event_callback", event: { type: "app_mention", text: "How many days?" } }),
    );
    const below = (limit: number): number => Math.floor(random() * limit);
    const flipped = (text: string): string => {
      const at = below(text.length);
      return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << below(7))) + text.slice(at + 1);
    };
    let passed = 0;
    for (let round = 0; round < 10_000; round += 1) {
      const part = (["timestamp", "signature", "body"] as const)[below(3)] ?? "body";
      if (judge({ ...original, [part]: flipped(original[part] ?? "") }) === undefined) passed += 1;
    }
    expect(passed).toBe(0);
    expect(judge(original)).toBeUndefined();
  });

  it("is forgotten after ten minutes, when its time alone refuses it", () => {
    let now = NOW;
    const judge = createSignatureCheck(SECRET, () => now);
    const request = signed("{}");
    expect(judge(request)).toBeUndefined();
    now += 600_001;
    expect(judge(request)).toBe("clock");
  });
});
