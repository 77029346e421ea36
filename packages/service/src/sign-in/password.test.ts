import { scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashOfPassword, isPassword, mintPassword, weaknessOf } from "./password.ts";

describe("T42 a password", () => {
  it("is kept by a strong and salted hash that says its cost, and one of another cost is still known", async () => {
    const [one, other] = await Promise.all([hashOfPassword("geheim"), hashOfPassword("geheim")]);
    expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(await isPassword("geheim", one)).toBe(true);
    const salt = Buffer.from("0123456789abcdef");
    const cheap = scryptSync("pass", salt, 32, { N: 1024, r: 8, p: 1 });
    const kept = `scrypt$10$8$1$${salt.toString("base64url")}$${cheap.toString("base64url")}`;
    expect(await isPassword("pass", kept)).toBe(true);
    expect(await isPassword("Pass", kept)).toBe(false);
  });

  it("is the same whatever keyboard it came from", async () => {
    const salt = Buffer.from("0123456789abcdef");
    const hash = scryptSync("\u00fcber", salt, 32, { N: 1024, r: 8, p: 1 });
    const kept = `scrypt$10$8$1$${salt.toString("base64url")}$${hash.toString("base64url")}`;
    expect(await isPassword("u\u0308ber", kept)).toBe(true);
  });

  it("of a name nobody has takes as long as a wrong one, and is wrong", async () => {
    const kept = await hashOfPassword("geheim");
    const took = async (of: string | undefined): Promise<number> => {
      const start = performance.now();
      expect(await isPassword("guess", of)).toBe(false);
      return performance.now() - start;
    };
    // A busy machine makes one of them late, though not every time.
    let ratio = 0;
    for (let tries = 0; tries < 6 && !(ratio > 0.6 && ratio < 1.6); tries++) {
      ratio = (await took(undefined)) / (await took(kept));
    }
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
  });

  it("is checked one at a time, and only so many wait", async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 70 }, () => isPassword("x", "scrypt$4$1$1$c2FsdA$aGFzaA")),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(64);
  });

  it("that somebody chooses is long and more than their name", () => {
    expect(weaknessOf("elf Zeichen", "anna")).toBe("short");
    expect(weaknessOf("x".repeat(257), "anna")).toBe("long");
    expect(weaknessOf("anna@example.com1", "anna@example.com")).toBe("user");
    expect(weaknessOf("correct horse battery", "anna")).toBeUndefined();
    const made = Array.from({ length: 20 }, mintPassword);
    expect(new Set(made).size).toBe(20);
    expect(made.filter((one) => weaknessOf(one, "anna") !== undefined)).toEqual([]);
  });
});
