import { createHash } from "node:crypto";
import { afterThisFile, afterThisTest } from "@threadlore/testkit";
import { signInThere, startIdentityProvider } from "@threadlore/testkit/identity";
import { describe, expect, it } from "vitest";
import { openCompany, type ServiceOptions } from "../../index.ts";
import { countAttempt } from "../../store/people/attempts.ts";
import { disablePerson, listPersons, personCalled } from "../../store/people/persons.ts";
import { groupNamed, setRule } from "../../store/people/rules.ts";
import { values } from "../../store/steps.ts";
import { ask, Browser, call, openPeople, poll } from "./people.harness.ts";

const ORIGIN = "http://127.0.0.1:8411";
const PEOPLE = {
  anna: { email: "anna@example.com", email_verified: true, name: "Anna Ångström", groups: ["Vertrieb", "営業部"] },
  نور: { email: "nour@example.com", email_verified: false, name: "نور الهدى" },
  guest: { email: "guest@elsewhere.example", email_verified: true },
  many: { email: "many@example.com", email_verified: true, hasgroups: true },
};
const provider = await startIdentityProvider({
  people: PEOPLE,
  redirectUris: [`${ORIGIN}/sign-in/callback`, "https://127.0.0.1/sign-in/callback"],
  clientSecret: "secret-canary",
});
afterThisFile(() => provider.close());

/** As a browser comes back from another site. */
const FROM_THERE = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

async function open(settings: { domains?: string[]; issuer?: string } = {}, options: Partial<ServiceOptions> = {}) {
  const lines: string[] = [];
  const company = await openCompany({
    issuer: provider.issuer,
    clientId: "threadlore",
    clientSecret: "secret-canary",
    name: "Example AG",
    ...settings,
  });
  const at = openPeople({ company, log: (line) => lines.push(line), ...options });
  at.clock.now = Date.now();
  afterThisTest(() => at.service.close());
  const begin = async (browser: Browser, next = "") => {
    const { location, status } = await browser.open(`/sign-in/company?next=${encodeURIComponent(next)}`);
    expect([status, location]).toEqual([303, expect.stringContaining(`${provider.issuer}/auth?`)]);
    return location ?? "";
  };
  const back = (address: string) => address.slice(new URL(address).origin.length);
  /** The whole way of somebody, to where the browser is led at the end. */
  const signIn = async (login: string, next = "", browser = new Browser(at.service)) => {
    const came = await signInThere(await begin(browser, next), login);
    return { browser, came: back(came), end: await browser.open(back(came), FROM_THERE) };
  };
  return { ...at, lines, begin, signIn, back };
}

describe("who signs in with their company", () => {
  it("is led there by a button and back to where they were going, and has their name and groups", async () => {
    const { service, database, signIn } = await open();
    const page = await new Browser(service).open("/sign-in?next=%2Fsign-in%2Fdevice");
    expect(page.text).toContain("Sign in with Example AG");
    expect(page.text).toContain('href="/sign-in/company?next=%2Fsign-in%2Fdevice"');
    const { browser, end } = await signIn("anna", "/sign-in/device?user_code=BCDF-GHJK");
    expect(end).toMatchObject({ status: 303, location: "/sign-in/device?user_code=BCDF-GHJK" });
    expect((await browser.open("/account")).text).toContain("anna@example.com");
    const person = database.perform(personCalled("anna@example.com"));
    expect(person).toMatchObject({ issuer: provider.issuer, subject: "anna", name: "Anna Ångström" });
    const [{ groups } = { groups: [] }] = database.perform(listPersons());
    expect(groups).toEqual(["Vertrieb", "営業部"].map((name) => ({ issuer: provider.issuer, name })));
    const type = await service.fetch(new Request(`${ORIGIN}/auth/type`));
    expect(await type.json()).toMatchObject({ oauth_enabled: true, device_sign_in_enabled: true });
    // The second time it is the same person, whatever they are called by then.
    await signIn("anna");
    expect(database.perform(listPersons())).toHaveLength(1);
  });

  it("gets a key for the terminal by a code, with the rights they have", async () => {
    const { service, signIn } = await open();
    const { body: begun } = await ask(service, "/sign-in/device", { client_id: "Terminal", purpose: "laptop" });
    const { browser } = await signIn("نور");
    await browser.send("/sign-in/device/answer", { user_code: begun["user_code"] ?? "", answer: "agree" });
    const { body } = await poll(service, begun["device_code"] ?? "");
    const { body: me } = await call(service, body["access_token"] ?? "", "GET", "/me");
    // The address was not verified, so nobody is shown it.
    expect(me).toMatchObject({ role: "ordinary", email: expect.not.stringContaining("nour@example.com") });
  });

  it("gets a key for a browser extension that asked before they signed in", async () => {
    const { service, signIn } = await open();
    const verifier = "v".repeat(64);
    const grant = { client_id: "拡張", redirect_uri: `https://${"a".repeat(32)}.chromiumapp.org/` };
    const asked = {
      response_type: "code",
      client_id: grant.client_id,
      purpose: "Firefox, Linux",
      redirect_uri: grant.redirect_uri,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: "state-of-this-request",
    };
    const path = `/sign-in/authorize?${new URLSearchParams(asked)}`;
    const { browser, end } = await signIn("نور", path);
    expect(end.location).toBe(path);
    const agreed = await browser.send("/sign-in/authorize/answer", { ...asked, answer: "agree" });
    const code = new URL(agreed.location ?? "").searchParams.get("code") ?? "";
    const redeemed = { grant_type: "authorization_code", code, ...grant, code_verifier: verifier };
    const { body } = await ask(service, "/sign-in/token", redeemed);
    expect((await call(service, body["access_token"] ?? "", "GET", "/me")).body).toMatchObject({ role: "ordinary" });
  });

  it("may what rules give to their groups there, from the next request on, until a sign-in says they are in them no more", async () => {
    const at = await open();
    const { database, signIn } = at;
    await signIn("anna");
    const key = await at.keyOf("anna@example.com");
    const me = async () => (await call(at.service, key, "GET", "/me")).body;
    expect(await me()).toMatchObject({ role: "ordinary" });
    // A group of the same name that this service has is another.
    database.transact(setRule(groupNamed("Vertrieb"), { role: "admin" }));
    expect(await me()).toMatchObject({ role: "ordinary" });
    database.transact(setRule(groupNamed("営業部", provider.issuer), { role: "editor" }));
    expect(await me()).toMatchObject({ role: "editor" });
    const groups = PEOPLE.anna.groups.splice(0);
    await signIn("anna");
    expect(await me()).toMatchObject({ role: "ordinary" });
    PEOPLE.anna.groups.push(...groups);
  });

  it("is nobody who is here already, whoever has the same address", async () => {
    const { database, addPerson, signIn } = await open();
    const local = addPerson("anna@example.com", "anna@example.com");
    const { browser } = await signIn("anna");
    const persons = database.perform(listPersons());
    expect(persons.map(({ issuer, user }) => [issuer, user])).toEqual([
      ["local", "anna@example.com"],
      [provider.issuer, "anna@example.com-2"],
    ]);
    expect((await browser.open("/account")).text).toContain("Anna Ångström");
    expect(persons[0]?.id).toBe(local);
  });

  it("is kept out where the account is closed here, or the address is not one that may", async () => {
    const { database, signIn, lines } = await open({ domains: ["example.com"] });
    expect((await signIn("anna")).end.status).toBe(303);
    database.transact(disablePerson(database.perform(personCalled("anna@example.com"))?.id ?? 0, 0));
    for (const [login, words] of [
      ["anna", "Your account was closed here"],
      ["guest", "not one that may sign in here"],
      ["نور", "not one that may sign in here"],
      ["many", "did not say which groups"],
    ] as const) {
      const { browser, end } = await signIn(login, "/sign-in/device");
      expect([login, end.status, end.text]).toEqual([login, 403, expect.stringContaining(words)]);
      expect((await browser.open("/account")).location).toContain("/sign-in?");
      // The way on: as another where it matters who the provider takes the browser for.
      const [, on = ""] = /class="button" href="([^"]+)"/.exec(end.text) ?? [];
      const path = login === "many" ? "/sign-in?" : "/sign-in/company?as=another&#38;";
      expect(on).toBe(`${path}next=%2Fsign-in%2Fdevice`);
      const { location } = await browser.open(on.replace("&#38;", "&"));
      expect(location?.includes("prompt=login") ?? false).toBe(login !== "many");
    }
    expect(lines.filter((line) => line.includes("sign-in failed"))).toHaveLength(4);
    // Why, and nobody's name, address or token.
    expect(lines.join("\n")).not.toMatch(/anna|guest|elsewhere|eyJ|secret-canary/);
  });
});

describe("sign-ins of one place", () => {
  it("push out nobody else's, and count until they are ended", async () => {
    const { database, clock, service, signIn } = await open();
    const place = "company sign-ins from here";
    const limit = { most: 1_000, seconds: 600 };
    for (let n = 0; n < 999; n++) database.transact(countAttempt(place, limit, clock.now));
    // Whoever comes to the end makes room for the next.
    for (const login of ["anna", "anna"]) {
      expect((await signIn(login)).end.status).toBe(303);
      // That is noted beside the answer.
      const HELD = "SELECT count FROM attempts WHERE count = 999";
      await expect.poll(() => database.perform(values(HELD))).toEqual([999]);
    }
    database.transact(countAttempt(place, limit, clock.now));
    const refused = await new Browser(service).open("/sign-in/company");
    expect(refused).toMatchObject({ status: 429, text: expect.stringContaining("Try again in 10 minutes") });
    clock.now += 601_000;
    expect((await new Browser(service).open("/sign-in/company")).status).toBe(303);
  });
});

describe("a sign-in that was begun", () => {
  const REFUSED = { status: 403, text: expect.stringContaining("begun in another browser") };

  it("is ended once, by the browser that began it", async () => {
    const { service, begin, back, signIn } = await open();
    const [mine, theirs] = [new Browser(service), new Browser(service)];
    const came = back(await signInThere(await begin(mine), "anna"));
    await begin(theirs);
    // Somebody's own answer, sent to another as a link, would have them work under that name.
    expect(await theirs.open(came, FROM_THERE)).toMatchObject(REFUSED);
    expect(await new Browser(service).open(came, FROM_THERE)).toMatchObject(REFUSED);
    // In a frame, by a script, from elsewhere: nobody sees it.
    for (const dest of ["iframe", "image", "empty"]) {
      expect((await mine.open(came, { ...FROM_THERE, "sec-fetch-dest": dest })).status).toBe(403);
    }
    expect((await mine.open(came, FROM_THERE)).status).toBe(303);
    expect(await mine.open(came, FROM_THERE)).toMatchObject(REFUSED);
    // Two tabs of one browser.
    const [first, second] = [await begin(mine), await begin(mine)];
    for (const url of [first, second]) {
      expect((await mine.open(back(await signInThere(url, "anna")), FROM_THERE)).status).toBe(303);
    }
    const again = await signIn("anna");
    expect(again.end.status).toBe(303);
  });

  it("is given up after ten minutes, and with whatever is changed in the answer", async () => {
    const { service, clock, begin, back } = await open();
    const browser = new Browser(service);
    const came = back(await signInThere(await begin(browser), "anna"));
    clock.now += 600_000;
    expect(await browser.open(came, FROM_THERE)).toMatchObject(REFUSED);
    clock.now -= 600_000;
    for (const change of [
      (to: URLSearchParams) => to.set("code", "other"),
      (to: URLSearchParams) => to.set("iss", "https://login.example.org"),
      (to: URLSearchParams) => to.append("state", "other"),
      (to: URLSearchParams) => to.set("error", "<script>canary</script>"),
      (to: URLSearchParams) => to.delete("code"),
    ]) {
      const url = new URL(await signInThere(await begin(browser), "anna"));
      change(url.searchParams);
      const { status, text } = await browser.open(`${url.pathname}${url.search}`, FROM_THERE);
      expect(status).toBe(403);
      expect(text).not.toContain("canary");
    }
  });

  it("is ended by another instance as well, and its cookie is for this host alone", async () => {
    const one = await open();
    const company = await openCompany({
      issuer: provider.issuer,
      clientId: "threadlore",
      clientSecret: "secret-canary",
    });
    const other = openPeople({ company, database: one.database });
    other.clock.now = one.clock.now;
    const browser = new Browser(one.service, { origin: "https://127.0.0.1" });
    const { location, headers } = await browser.open("/sign-in/company");
    expect(headers.get("set-cookie")).toMatch(
      /^__Host-threadlore-begun=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const there = new Browser(other.service, { origin: "https://127.0.0.1" });
    there.cookies = browser.cookies;
    const came = new URL(await signInThere(location ?? "", "anna"));
    expect(came.origin).toBe("https://127.0.0.1");
    expect(await there.open(`${came.pathname}${came.search}`, FROM_THERE)).toMatchObject({
      status: 303,
      location: "/account",
    });
  });
});

describe("a provider that is away", () => {
  it("is told to whoever wants to sign in, in their language; accounts of this service work on", async () => {
    const away = await startIdentityProvider({ people: {}, redirectUris: [`${ORIGIN}/sign-in/callback`] });
    await away.close();
    const { service, addPerson, lines } = await open({ issuer: away.issuer });
    const reply = await new Browser(service, { language: "de" }).open("/sign-in/company");
    expect(reply.status).toBe(503);
    expect(reply.text).toContain("antwortet gerade nicht");
    expect(lines.join("\n")).toContain("ECONNREFUSED");
    addPerson("anna");
    expect((await new Browser(service).signIn("anna")).status).toBe(303);
  });

  it("that nobody set is nowhere to be found", async () => {
    const at = openPeople();
    afterThisTest(() => at.service.close());
    const browser = new Browser(at.service);
    expect((await browser.open("/sign-in")).text).not.toContain("/sign-in/company");
    expect((await browser.open("/sign-in/company")).status).toBe(401);
    expect((await browser.open("/sign-in/callback?state=a&code=b", FROM_THERE)).status).toBe(401);
  });
});
