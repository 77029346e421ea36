import { describe, expect, it } from "vitest";
import { createSealer, isSecret, newSecret } from "./sealing.ts";

const PLACE = ["T1", "U1", "https://knowledge.example.com"];
const TEXT = "on_TESTtoken with ünïcödé";

describe("a sealed text", () => {
  const secret = newSecret();
  const sealer = createSealer([secret]);

  it("opens where it was put, and shows nothing of itself", () => {
    const sealed = sealer.seal(TEXT, PLACE);
    expect(sealed).not.toContain("TESTtoken");
    expect(Buffer.from(sealed.split(".").at(-1) ?? "", "base64url").toString("latin1")).not.toContain("TEST");
    expect(sealer.open(sealed, PLACE)).toEqual({ text: TEXT, isFirst: true });
    expect(sealer.seal(TEXT, PLACE)).not.toBe(sealed);
  });

  it.each([
    ["another person", ["T1", "U2", "https://knowledge.example.com"]],
    ["another workspace", ["T2", "U1", "https://knowledge.example.com"]],
    ["another server", ["T1", "U1", "https://elsewhere.example.com"]],
    ["names run together", ["T1U1", "", "https://knowledge.example.com"]],
  ])("does not open for %s", (_, place) => {
    expect(sealer.open(sealer.seal(TEXT, PLACE), place)).toBeUndefined();
  });

  it("does not open with one bit changed, cut, or as something else", () => {
    const sealed = sealer.seal(TEXT, PLACE);
    const [version = "", name = "", nonce = "", body = ""] = sealed.split(".");
    const bytes = Buffer.from(body, "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(sealer.open([version, name, nonce, changed.toString("base64url")].join("."), PLACE)).toBeUndefined();
    }
    const cut = bytes.subarray(0, -1).toString("base64url");
    for (const other of ["", "1", "1.2.3.4", [version, name, nonce, cut].join("."), `2${sealed.slice(1)}`, TEXT]) {
      expect(sealer.open(other, PLACE), other).toBeUndefined();
    }
  });

  it("opens with the secret before it, and with that alone not any more", () => {
    const sealed = sealer.seal(TEXT, PLACE);
    const next = newSecret();
    expect(createSealer([next, secret]).open(sealed, PLACE)).toEqual({ text: TEXT, isFirst: false });
    expect(createSealer([next]).open(sealed, PLACE)).toBeUndefined();
  });
});

describe("a secret", () => {
  it("is 32 bytes of base64, as openssl writes them too", () => {
    const openssl = Buffer.alloc(32, 250).toString("base64");
    expect([newSecret(), openssl].map(isSecret)).toEqual([true, true]);
    expect(["", "short", `${newSecret()}AAAA`, "x".repeat(42), " ".repeat(43)].map(isSecret)).toEqual(
      Array.from({ length: 5 }, () => false),
    );
    const sealer = createSealer([openssl]);
    expect(sealer.open(sealer.seal("a", []), [])).toMatchObject({ text: "a" });
  });
});
