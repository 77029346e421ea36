import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disablePerson } from "../../store/people/persons.ts";
import { setRule, EVERYBODY_GROUP, groupNamed, removeRule } from "../../store/people/rules.ts";
import { joinGroup, leaveGroup } from "../../store/people/persons.ts";
import { addDocumentSet } from "../../store/connectors.ts";
import { ask, Browser, call, openPeople, type PeopleService, poll } from "./people.harness.ts";

let at: PeopleService;
beforeEach(() => {
  at = openPeople();
});
afterEach(() => at.service.close());

const begin = async (fields: Record<string, string> = {}) =>
  (await ask(at.service, "/sign-in/device", { client_id: "Threadlore", purpose: "terminal on anna-laptop", ...fields }))
    .body;

describe("signing in with a device (RFC 8628)", () => {
  it("gives a program a key once its person agreed, and once only", async () => {
    at.addPerson("anna", "anna@example.com");
    const begun = await begin();
    expect(begun).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: "http://127.0.0.1:8411/sign-in/device",
      verification_uri_complete: `http://127.0.0.1:8411/sign-in/device?user_code=${begun["user_code"]}`,
      expires_in: 600,
      interval: 2,
    });
    const code = begun["device_code"] ?? "";
    expect(await poll(at.service, code)).toMatchObject({ status: 400, body: { error: "authorization_pending" } });
    const browser = new Browser(at.service);
    const first = await browser.open(`/sign-in/device?user_code=${begun["user_code"]}`);
    expect(first.location).toBe(
      `/sign-in?next=${encodeURIComponent(`/sign-in/device?user_code=${begun["user_code"]}`)}`,
    );
    const signed = await browser.signIn("Anna", undefined, `/sign-in/device?user_code=${begun["user_code"]}`);
    expect(signed.location).toBe(`/sign-in/device?user_code=${begun["user_code"]}`);
    const shown = await browser.open(signed.location ?? "");
    expect(shown.text).toContain("terminal on anna-laptop");
    expect(shown.text).toContain("Agree only if you began this yourself just now");
    await browser.send("/sign-in/device/answer", { user_code: begun["user_code"] ?? "", answer: "agree" });
    at.clock.now += 5_000;
    const given = await poll(at.service, code);
    expect(given).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 31_536_000 } });
    expect(await call(at.service, given.body["access_token"] ?? "", "GET", "/me")).toMatchObject({
      body: { id: "anna", email: "anna@example.com", role: "ordinary" },
    });
    at.clock.now += 5_000;
    expect(await poll(at.service, code)).toMatchObject({ status: 400, body: { error: "expired_token" } });
    expect((await browser.open(`/sign-in/device?user_code=${begun["user_code"]}`)).status).toBe(404);
  });

  it("says in the RFC's words that it was refused, is too old, or asked for too often", async () => {
    at.addPerson("anna");
    const refused = await begin();
    const browser = at.browserOf("anna");
    await browser.send("/sign-in/device/answer", { user_code: refused["user_code"] ?? "", answer: "refuse" });
    expect(await poll(at.service, refused["device_code"] ?? "")).toMatchObject({ body: { error: "access_denied" } });
    const eager = await begin();
    await poll(at.service, eager["device_code"] ?? "");
    expect(await poll(at.service, eager["device_code"] ?? "")).toMatchObject({ body: { error: "slow_down" } });
    // Five seconds are added.
    at.clock.now += 5_000;
    expect(await poll(at.service, eager["device_code"] ?? "")).toMatchObject({ body: { error: "slow_down" } });
    at.clock.now += 600_000;
    expect(await poll(at.service, eager["device_code"] ?? "")).toMatchObject({ body: { error: "expired_token" } });
    expect(await ask(at.service, "/sign-in/token", { grant_type: "password" })).toMatchObject({
      status: 400,
      body: { error: "unsupported_grant_type", error_description: expect.stringContaining("device_code") },
    });
    expect(await ask(at.service, "/sign-in/device", {})).toMatchObject({ body: { error: "invalid_request" } });
  });

  it("is refused to a colleague for whom it was not begun, and stays for whom it was", async () => {
    at.addPerson("anna", "Anna@Example.com");
    at.addPerson("bo", "bo@example.com");
    const begun = await begin({ expected_email: "anna@example.com" });
    at.addPerson("cid");
    const unknown = await at.browserOf("cid").open(`/sign-in/device?user_code=${begun["user_code"]}`);
    // Another account would be no better.
    expect(unknown).toMatchObject({ status: 403, text: expect.stringContaining("Tell your administrator") });
    const colleague = at.browserOf("bo");
    const shown = await colleague.open(`/sign-in/device?user_code=${begun["user_code"]}`);
    expect(shown.status).toBe(403);
    expect(shown.text).toContain("for the account of somebody else");
    const agreed = await colleague.send("/sign-in/device/answer", {
      user_code: begun["user_code"] ?? "",
      answer: "agree",
    });
    expect(agreed.status).toBe(403);
    expect(await poll(at.service, begun["device_code"] ?? "")).toMatchObject({
      body: { error: "authorization_pending" },
    });
    const browser = at.browserOf("anna");
    await browser.send("/sign-in/device/answer", { user_code: begun["user_code"] ?? "", answer: "agree" });
    at.clock.now += 5_000;
    expect((await poll(at.service, begun["device_code"] ?? "")).status).toBe(200);
  });

  it("shows what a program says of itself as others' words, whatever is in them", async () => {
    at.addPerson("anna");
    const begun = await begin({ client_id: '<script>alert(1)</script>"\u202Egpj', purpose: "x".repeat(200) });
    const browser = at.browserOf("anna");
    const { text } = await browser.open(`/sign-in/device?user_code=${begun["user_code"]}`);
    expect(text).not.toContain("<script");
    expect(text).not.toContain("\u202E");
    expect(text).toContain('<bdi class="foreign">&#60;script&#62;');
    expect(text).toContain(`${"x".repeat(120)}…`);
  });

  it("lets nobody find a code by trying", async () => {
    at.addPerson("anna");
    const browser = at.browserOf("anna");
    const statuses: number[] = [];
    for (let n = 0; n < 32; n++) statuses.push((await browser.open("/sign-in/device?user_code=BBBB-BBBB")).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 404), 429, 429]);
    const begun = await begin();
    expect((await browser.open(`/sign-in/device?user_code=${begun["user_code"]}`)).status).toBe(429);
    at.addPerson("bo");
    const bo = at.browserOf("bo");
    // A right one is looked at as often as somebody likes.
    for (let n = 0; n < 40; n++) {
      expect((await bo.open(`/sign-in/device?user_code=${begun["user_code"]}`)).status).toBe(200);
    }
    expect((await bo.open("/sign-in/device?user_code=BBBB-BBBB")).status).toBe(404);
    at.clock.now += 601_000;
    expect((await browser.open("/sign-in/device?user_code=BBBB-BBBB")).status).toBe(404);
  });
});

describe("a person's key", () => {
  it("may what the rules about their groups give at this moment, and nothing that stands in it", async () => {
    const person = at.addPerson("anna");
    at.database.transact(addDocumentSet({ name: "North", pairIds: [1] }));
    const key = await at.keyOf("anna");
    const me = async () => (await call(at.service, key, "GET", "/me")).body;
    const sets = async () => (await call(at.service, key, "GET", "/manage/document-set")).body;
    expect(await me()).toMatchObject({ role: "ordinary" });
    expect(await sets()).toEqual([]);
    at.database.transact(joinGroup(person, "Löwen"));
    at.database.transact(setRule(groupNamed("Lo\u0308wen"), { role: "editor", documentSets: ["North"] }));
    expect(await me()).toMatchObject({ role: "editor", groups: ["Löwen"] });
    expect(await sets()).toMatchObject([{ name: "North" }]);
    at.database.transact(leaveGroup(person, "Löwen"));
    expect(await me()).toMatchObject({ role: "ordinary" });
    expect(await sets()).toEqual([]);
    at.database.transact(setRule(EVERYBODY_GROUP, { documentSets: ["North"] }));
    expect(await sets()).toMatchObject([{ name: "North" }]);
    at.database.transact(removeRule(EVERYBODY_GROUP));
    expect(await sets()).toEqual([]);
  });

  it("is listed and ended by its person, and nobody else's is", async () => {
    at.addPerson("anna");
    at.addPerson("bo");
    const key = await at.keyOf("anna", "chat bot in Acme");
    const other = await at.keyOf("anna", "terminal");
    const bos = await at.keyOf("bo");
    const listed = await call(at.service, key, "GET", "/me/keys");
    expect(listed.body).toMatchObject([
      { purpose: "terminal", is_current: false, last_used_at: null },
      { purpose: "chat bot in Acme", is_current: true, expires_at: "2027-03-02T09:00:00.000Z" },
    ]);
    const [{ id }] = listed.body as unknown as [{ id: number }];
    expect((await call(at.service, bos, "DELETE", `/me/keys/${id}`)).status).toBe(404);
    expect((await call(at.service, other, "GET", "/me")).status).toBe(200);
    expect((await call(at.service, key, "DELETE", `/me/keys/${id}`)).status).toBe(200);
    expect((await call(at.service, other, "GET", "/me")).status).toBe(401);
    expect((await call(at.service, "tl_TESTowner", "GET", "/me/keys")).status).toBe(404);
  });

  it("ends after 90 days without use, a year after it was made, and when its person is disabled", async () => {
    const id = at.addPerson("anna");
    const key = await at.keyOf("anna");
    const status = async () => (await call(at.service, key, "GET", "/me")).status;
    const day = 86_400_000;
    for (let n = 0; n < 4; n++) {
      at.clock.now += 89 * day;
      expect(await status()).toBe(200);
      // The use is noted beside the answer.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    at.clock.now += 10 * day;
    expect(await status()).toBe(401);
    const unused = await at.keyOf("anna");
    at.clock.now += 91 * day;
    expect((await call(at.service, unused, "GET", "/me")).status).toBe(401);
    const last = await at.keyOf("anna");
    at.database.transact(disablePerson(id, at.clock.now));
    expect((await call(at.service, last, "GET", "/me")).status).toBe(401);
  });
});
