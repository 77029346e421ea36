import { describe, expect, it } from "vitest";
import { identityOf, isIncomplete } from "./claims.ts";
import { companySignIn } from "./company-sign-in.ts";
import { admit, domainsOf } from "./domains.ts";
import { SignInFailure } from "./failure.ts";
import { hasDoubleNames } from "./unique-names.ts";

const token = { iss: "https://login.example.com", sub: "1" };
const groups = (claims: object, path: string) => identityOf({ ...token, ...claims }, undefined, path).groups;

it.each([
  [{ groups: ["a", "b", "a", ""] }, "groups", ["a", "b"]],
  // As ADFS sends one group.
  [{ groups: "a" }, "groups", ["a"]],
  [{ realm_access: { roles: ["مدير", "营业部"] } }, "realm_access.roles", ["مدير", "营业部"]],
  [{ "https://example.com/groups": ["a"] }, "https://example.com/groups", ["a"]],
  [{ "a.b": ["whole"], a: { b: ["parts"] } }, "a.b", ["whole"]],
  [{ groups: null }, "groups", []],
  [{}, "groups", []],
  [{ a: ["x"] }, "a.0", []],
  [{}, "constructor.name", []],
  [{}, "__proto__", []],
  [{ hasgroups: false, groups: ["a"] }, "groups", ["a"]],
  // Letters count, however they are written: with marks of their own, and beyond the first 65,536.
  ...["م", "営", "e\u0301", "𠀀"].map(
    (letter) => [{ groups: [letter.repeat(200)] }, "groups", [letter.repeat(200)]] as const,
  ),
  // No rule can be about it, so it keeps nobody out.
  [{ groups: ["x".repeat(201), "𠀀".repeat(201), "staff"] }, "groups", ["staff"]],
] as const)("%j has the groups of %s: %j", (claims, path, expected) => {
  expect(groups(claims, path)).toEqual(expected);
});

it.each([
  [
    { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://graph.windows.net/" } } },
    "groups",
  ],
  [{ hasgroups: true }, "groups"],
  [{ _claim_names: { realm_access: "src1" } }, "realm_access.roles"],
  [{ groups: Array.from({ length: 1_001 }, (_, index) => `${index}`) }, "groups"],
])("nobody is taken for one without groups because there are too many: %#", (claims, path) => {
  const failure = expect.objectContaining({
    kind: "groups",
    forPerson: expect.stringContaining("which groups you are in"),
  });
  expect(() => groups(claims, path)).toThrow(failure);
  // Where rights come from another claim it does not matter.
  expect(groups({ ...claims, roles: ["reader"] }, "roles")).toEqual(["reader"]);
});

it("an address and its being verified are of one source", () => {
  const email = (id: object, info?: object) => {
    const { email: address, emailVerified } = identityOf({ ...token, ...id }, info && { sub: "1", ...info }, "groups");
    return [address, emailVerified];
  };
  expect(email({ email: "a@example.com", email_verified: true })).toEqual(["a@example.com", true]);
  expect(email({ email: "a@example.com", email_verified: "false" })).toEqual(["a@example.com", false]);
  expect(email({ email: "a@example.com" })).toEqual(["a@example.com", false]);
  // The verified one is another.
  expect(
    email({ email: "ceo@example.com", email_verified: false }, { email: "a@example.org", email_verified: true }),
  ).toEqual(["ceo@example.com", false]);
  expect(email({ email: "ceo@example.com" }, { email: "a@example.org", email_verified: true })).toEqual([
    "a@example.org",
    true,
  ]);
  expect(email({ email_verified: true }, { email: "a@example.com" })).toEqual(["a@example.com", false]);
  for (const none of ["a", "a@b@c", "a b@example.com", "a@exam\u202eple.com", `${"a".repeat(320)}@b`, "\u0000@b"]) {
    expect(email({ email: none, email_verified: true })).toEqual([undefined, false]);
  }
});

describe("where domains may sign in", () => {
  const domains = domainsOf(["Example.com", "@bücher.example"]);
  const admitted = (email: string | undefined, emailVerified: boolean, issuer = token.iss, claims = {}) => {
    try {
      admit({ issuer, email, emailVerified }, domains, claims);
      return "in";
    } catch (error) {
      return error instanceof SignInFailure ? error.kind : error;
    }
  };

  it("whose verified address is of one of them does, and nobody else", () => {
    for (const email of ["a@example.com", "a@EXAMPLE.COM", "a@bücher.example", "a@xn--bcher-kva.example"]) {
      expect([email, admitted(email, true), admitted(email, false)]).toEqual([email, "in", "outsider"]);
    }
    for (const email of [
      "a@sub.example.com",
      "a@example.com.evil.test",
      "a@notexample.com",
      "a@example.org",
      undefined,
    ]) {
      expect([email, admitted(email, true)]).toEqual([email, "outsider"]);
    }
  });

  it("a private account of Google's is nobody's of the company, whatever its address was", () => {
    const google = "https://accounts.google.com";
    expect(admitted("a@example.com", true, google)).toBe("outsider");
    expect(admitted("a@example.com", true, google, { hd: "example.org" })).toBe("outsider");
    expect(admitted("a@example.com", true, google, { hd: ["example.com"] })).toBe("outsider");
    expect(admitted("a@example.com", true, google, { hd: "example.com" })).toBe("in");
  });

  it("an issuer where anybody may have an account needs one", () => {
    const issuers = [
      "https://accounts.google.com",
      "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
    ];
    for (const issuer of issuers) {
      expect(() => companySignIn({ issuer, clientId: "a" })).toThrow(/name the domains/);
      expect(companySignIn({ issuer, clientId: "a", domains: ["example.com"] })).toBeDefined();
    }
    expect(() => companySignIn({ issuer: token.iss, clientId: "a", domains: ["example"] })).toThrow(/no domain/);
  });
});

it("a name is one line in any script, which turns nothing around", () => {
  const name = (claims: object) => identityOf({ ...token, ...claims }, undefined, "groups").name;
  expect(name({ name: "نور الهدى" })).toBe("نور الهدى");
  expect(name({ given_name: "山田", family_name: "太郎" })).toBe("山田 太郎");
  expect(name({ name: "", preferred_username: "anna" })).toBe("anna");
  expect(name({ name: " Anna\u202e\n\u0007 Ångström " })).toBe("Anna Ångström");
  expect(name({ name: "\u200f" })).toBeUndefined();
  expect(name({ name: `${"a".repeat(199)}👩` })).toBe(`${"a".repeat(199)}\ufffd`);
});

it("nobody is asked for more when all was told", () => {
  const all = { ...token, email: "a@example.com", email_verified: true, name: "Anna", groups: [] };
  expect(isIncomplete(all, "groups")).toBe(false);
  for (const name of ["email", "email_verified", "name", "groups"]) {
    expect(isIncomplete({ ...all, [name]: undefined }, "groups")).toBe(true);
  }
});

it.each([
  ['{"sub":"a","sub":"b"}', true],
  ['{"a":{"sub":1,"s\\u0075b":2}}', true],
  ['[{"a":1},{"a":1}]', false],
  ['{"a":"a","b":["a","a"],"c":{"a":":"}}', false],
  ['{"a":"\\"b\\":1,\\"b\\":2"}', false],
  ['{"__proto__":1,"a":{"__proto__":1},"constructor":2}', false],
  ['{"__proto__":1,"__proto__":2}', true],
  ['{"a":1,"a":2', false],
  ["<html>{:}", false],
  ["", false],
])("%s has a name twice: %s", (text, expected) => {
  expect(hasDoubleNames(text)).toBe(expected);
});
