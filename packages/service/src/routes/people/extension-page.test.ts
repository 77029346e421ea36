import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disablePerson } from "../../store/people/persons.ts";
import { ask, Browser, call, openPeople, type PeopleService } from "./people.harness.ts";

let at: PeopleService;
beforeEach(() => {
  at = openPeople();
});
afterEach(() => at.service.close());

const EXTENSION = "abcdefghijklmnopabcdefghijklmnop";
const REDIRECT = `https://${EXTENSION}.chromiumapp.org/`;
const FIREFOX = `https://${"0123456789".repeat(4)}.extensions.allizom.org/`;
const VERIFIER = "v".repeat(64);
const STATE = "state-of-this-request";
const WHOLE = {
  response_type: "code",
  client_id: "Threadlore extension",
  purpose: "Chromium auf Anna’s 机",
  redirect_uri: REDIRECT,
  code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  code_challenge_method: "S256",
  state: STATE,
};
const pathOf = (fields: Record<string, string> = {}) =>
  `/sign-in/authorize?${new URLSearchParams({ ...WHOLE, ...fields })}`;

/** Agrees in a browser of Anna's, and gives the code the extension is told. */
async function agreedCode(fields: Record<string, string> = {}, user = "anna"): Promise<string> {
  const reply = await at.browserOf(user).send("/sign-in/authorize/answer", { ...WHOLE, ...fields, answer: "agree" });
  expect(reply.status).toBe(303);
  return new URL(reply.location ?? "").searchParams.get("code") ?? "";
}

/** Asks for the key as an extension does. */
async function redeem(code: string, fields: Record<string, string> = {}, origin?: string) {
  const { client_id, redirect_uri } = WHOLE;
  const grant = { grant_type: "authorization_code", code, client_id, redirect_uri, code_verifier: VERIFIER, ...fields };
  const reply = await at.service.fetch(
    new Request("http://127.0.0.1:8411/sign-in/token", {
      method: "POST",
      body: new URLSearchParams(grant),
      ...(origin !== undefined && { headers: { origin } }),
    }),
  );
  return { status: reply.status, body: (await reply.json()) as Record<string, string>, headers: reply.headers };
}

const isGood = async (key: string | undefined) => (await call(at.service, key ?? "", "GET", "/me")).status === 200;

describe("signing in from a browser extension", () => {
  it("leads through signing in to who asks, and gives the extension a key of whoever agrees", async () => {
    at.addPerson("anna", "anna@example.com");
    const browser = new Browser(at.service);
    const first = await browser.open(pathOf());
    expect(first.location).toBe(`/sign-in?next=${encodeURIComponent(pathOf())}`);
    const signed = await browser.signIn("anna", undefined, pathOf());
    expect(signed.location).toBe(pathOf());
    const shown = await browser.open(signed.location ?? "");
    for (const said of ["Threadlore extension", "Chromium auf Anna’s 机", EXTENSION, "anna@example.com"]) {
      expect(shown.text).toContain(said);
    }
    expect(shown.text).toContain("If a link, a message or a web page brought you here, refuse.");
    expect(shown.headers.get("content-security-policy")).toContain(`form-action 'self' ${REDIRECT};`);
    const agreed = await browser.send("/sign-in/authorize/answer", { ...WHOLE, answer: "agree" });
    const back = new URL(agreed.location ?? "");
    expect([agreed.status, `${back.origin}/`, back.searchParams.get("state")]).toEqual([303, REDIRECT, STATE]);
    const origin = `chrome-extension://${EXTENSION}`;
    const given = await redeem(back.searchParams.get("code") ?? "", {}, origin);
    expect(given).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 31_536_000 } });
    expect([given.headers.get("access-control-allow-origin"), given.headers.get("cache-control")]).toEqual([
      origin,
      "no-store",
    ]);
    expect(await call(at.service, given.body["access_token"] ?? "", "GET", "/me")).toMatchObject({
      body: { id: "anna", email: "anna@example.com" },
    });
    // Its pages may read what the service answers from now on.
    const asked = new Request("http://127.0.0.1:8411/me", {
      headers: { origin, authorization: `Bearer ${given.body["access_token"]}` },
    });
    expect((await at.service.fetch(asked)).headers.get("access-control-allow-origin")).toBe(origin);
  });

  it("gives an extension of Firefox its key too, and tells one that was refused just that", async () => {
    at.addPerson("anna");
    const code = await agreedCode({ redirect_uri: FIREFOX });
    const origin = "moz-extension://01234567-89ab-cdef-0123-456789abcdef";
    expect((await redeem(code, { redirect_uri: FIREFOX }, origin)).status).toBe(200);
    const refused = await at.browserOf("anna").send("/sign-in/authorize/answer", { ...WHOLE, answer: "refuse" });
    expect(refused.location).toBe(`${REDIRECT}?error=access_denied&state=${STATE}`);
  });

  it.each([
    ["another address", { redirect_uri: "https://evil.example/" }],
    ["an address below", { redirect_uri: `${REDIRECT}x` }],
    ["an address with a query", { redirect_uri: `${REDIRECT}?to=evil` }],
    ["an address that goes on", { redirect_uri: `https://${EXTENSION}.chromiumapp.org.evil.example/` }],
    ["an address in the clear", { redirect_uri: `http://${EXTENSION}.chromiumapp.org/` }],
    ["a name before it", { redirect_uri: `https://evil@${EXTENSION}.chromiumapp.org/` }],
    ["loopback", { redirect_uri: `http://127.0.0.1/mozoauth2/${"0123456789".repeat(4)}` }],
    ["a policy of its own", { redirect_uri: `${REDIRECT}; script-src *` }],
    ["no challenge", { code_challenge: "" }],
    ["a plain challenge", { code_challenge_method: "plain" }],
    ["no state", { state: "" }],
    ["a token at once", { response_type: "token" }],
    ["no name", { client_id: " " }],
    ["a name without end", { client_id: "x".repeat(101) }],
  ])("with %s leads nowhere, and gives nothing", async (_, fields) => {
    at.addPerson("anna");
    const browser = at.browserOf("anna");
    const shown = await browser.open(pathOf(fields));
    expect([shown.status, shown.location]).toEqual([400, null]);
    expect(shown.text).toContain("This is not a whole request");
    expect(shown.headers.get("content-security-policy")).toContain("form-action 'self';");
    const sent = await browser.send("/sign-in/authorize/answer", { ...WHOLE, ...fields, answer: "agree" });
    expect([sent.status, sent.location]).toEqual([400, null]);
  });

  it("does not take one of two where something is there twice", async () => {
    at.addPerson("anna");
    const shown = await at.browserOf("anna").open(`${pathOf()}&redirect_uri=https://evil.example/`);
    expect(shown.status).toBe(400);
  });

  it.each([
    ["another verifier", { code_verifier: "w".repeat(64) }],
    ["a verifier that is too short", { code_verifier: "v" }],
    ["another redirect", { redirect_uri: FIREFOX }],
    ["another client", { client_id: "Threadlore" }],
  ])("takes a code for worthless that comes with %s, from then on", async (_, fields) => {
    at.addPerson("anna");
    const code = await agreedCode();
    expect(await redeem(code, fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it("takes a code from no other extension than it was meant for", async () => {
    at.addPerson("anna");
    const other = `chrome-extension://${"p".repeat(32)}`;
    expect(await redeem(await agreedCode(), {}, other)).toMatchObject({ body: { error: "invalid_grant" } });
    expect((await redeem(await agreedCode(), {}, "https://evil.example")).status).toBe(403);
  });

  it("ends the key where its code is used again, also by somebody who knows nothing else", async () => {
    at.addPerson("anna");
    const both: Record<string, string>[] = [{}, { code_verifier: "w".repeat(64) }];
    for (const fields of both) {
      const code = await agreedCode();
      const { body } = await redeem(code);
      expect(await isGood(body["access_token"])).toBe(true);
      at.clock.now += 3_600_000;
      expect(await redeem(code, fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
      expect(await isGood(body["access_token"])).toBe(false);
    }
  });

  it("gives nothing for a code that is two minutes old, or whose person was disabled meanwhile", async () => {
    const id = at.addPerson("anna");
    const late = await agreedCode();
    at.clock.now += 120_000;
    expect(await redeem(late)).toMatchObject({ body: { error: "invalid_grant" } });
    const code = await agreedCode();
    at.database.transact(disablePerson(id, at.clock.now));
    expect(await redeem(code)).toMatchObject({ body: { error: "invalid_grant" } });
  });

  it("is asked of another account where its person wants that", async () => {
    at.addPerson("anna");
    at.addPerson("bo");
    const browser = at.browserOf("anna");
    const sent = await browser.send("/sign-in/authorize/answer", { ...WHOLE, answer: "another" });
    expect(sent.location).toBe(`/sign-in?next=${encodeURIComponent(pathOf())}`);
    // Nobody is signed in there until somebody signs in.
    expect((await browser.open(pathOf())).location).toBe(sent.location);
    const signed = await browser.signIn("bo", undefined, pathOf());
    expect((await browser.open(signed.location ?? "")).text).toContain("<dd>bo</dd>");
  });

  it("is agreed to on a page of this service alone, which no other holds in a frame", async () => {
    at.addPerson("anna");
    const browser = at.browserOf("anna");
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: null, "sec-fetch-site": "cross-site" },
      { origin: `chrome-extension://${EXTENSION}`, "sec-fetch-site": "none" },
    ]) {
      const sent = await browser.send("/sign-in/authorize/answer", { ...WHOLE, answer: "agree" }, headers);
      expect([sent.status, sent.location]).toEqual([403, null]);
    }
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const shown = await browser.open(pathOf(), link);
    // Whoever follows a link of somebody else's is asked; nothing was given.
    expect([shown.status, shown.location]).toEqual([200, null]);
    expect(shown.headers.get("x-frame-options")).toBe("DENY");
    expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const framed = await browser.open(pathOf(), { ...link, "sec-fetch-dest": "iframe" });
    expect(framed.status).toBe(403);
  });

  it("shows what an extension says of itself as others' words, whatever is in them", async () => {
    at.addPerson("anna");
    const shown = await at.browserOf("anna").open(pathOf({ client_id: '<script>alert(1)</script>"\u202Egpj' }));
    const seen = shown.text.replace(/<input type="hidden"[^>]*>/g, "");
    expect(seen).not.toContain("<script");
    expect(seen).not.toContain("\u202E");
    expect(shown.text).toContain('<bdi class="foreign">&#60;script&#62;');
  });

  it("lets nobody guess codes, and is right again after a while", async () => {
    at.addPerson("anna");
    const statuses: number[] = [];
    for (let n = 0; n < 62; n++) statuses.push((await redeem("x".repeat(43))).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 400), 429, 429]);
    at.clock.now += 601_000;
    for (let n = 0; n < 25; n++) expect((await redeem(await agreedCode())).status).toBe(200);
  });

  it("is offered where somebody can sign in, which an extension may read before it is known", async () => {
    const origin = `chrome-extension://${EXTENSION}`;
    const offer = async () => {
      const reply = await at.service.fetch(new Request("http://127.0.0.1:8411/auth/type", { headers: { origin } }));
      expect(reply.headers.get("access-control-allow-origin")).toBe(origin);
      return ((await reply.json()) as Record<string, unknown>)["code_sign_in_enabled"];
    };
    expect(await offer()).toBe(false);
    at.addPerson("anna");
    expect(await offer()).toBe(true);
    expect(await ask(at.service, "/sign-in/token", { grant_type: "authorization_code" })).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
  });
});
