import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { answerOf, beginCode } from "./code-flow.ts";

const REDIRECT = `https://${"a".repeat(32)}.chromiumapp.org/`;
const begin = () => beginCode("https://knowledge.example.com", REDIRECT, { client: "Threadlore", purpose: "Löwen 東" });

describe("a code for a key", () => {
  it("is asked for with a challenge of what nobody else knows, anew each time", async () => {
    const [one, other] = await Promise.all([begin(), begin()]);
    const url = new URL(one.url);
    expect(`${url.origin}${url.pathname}`).toBe("https://knowledge.example.com/sign-in/authorize");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: "code",
      client_id: "Threadlore",
      purpose: "Löwen 東",
      redirect_uri: REDIRECT,
      code_challenge: createHash("sha256").update(one.grant.code_verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: one.state,
    });
    expect(one.grant.code_verifier).toMatch(/^[\w-]{72}$/);
    expect(one.url).not.toContain(one.grant.code_verifier);
    expect(new Set([one.state, other.state, one.grant.code_verifier, other.grant.code_verifier]).size).toBe(4);
  });

  it("is taken from the answer to this very request, and from nothing else", async () => {
    const begun = await begin();
    const { state } = begun;
    expect(answerOf(`${REDIRECT}?code=abc&state=${state}`, begun)).toEqual({ code: "abc" });
    expect(answerOf(`${REDIRECT}?error=access_denied&state=${state}`, begun)).toBe("refused");
    for (const came of [
      undefined,
      "",
      REDIRECT,
      `${REDIRECT}?code=abc`,
      `${REDIRECT}?code=abc&state=${(await begin()).state}`,
      `${REDIRECT}?error=access_denied&state=other`,
      `${REDIRECT}?state=${state}`,
      `${REDIRECT}?error=server_error&state=${state}`,
      `${REDIRECT}#code=abc&state=${state}`,
      `https://evil.example/?code=abc&state=${state}`,
      `${REDIRECT}x?code=abc&state=${state}`,
    ])
      expect(answerOf(came, begun), came).toBeUndefined();
  });
});
