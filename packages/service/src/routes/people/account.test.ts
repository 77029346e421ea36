import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashOfPassword } from "../../sign-in/password.ts";
import { disablePerson, enablePerson, setPassword, signIn } from "../../store/people/persons.ts";
import { Browser, openPeople, PASSWORD, type PeopleService } from "./people.harness.ts";

let at: PeopleService;
beforeEach(() => {
  at = openPeople();
});
afterEach(() => at.service.close());

describe("the page to sign in", () => {
  it("gives a session that nobody could know beforehand, in a cookie no script and no other site gets", async () => {
    at.addPerson("anna");
    const browser = new Browser(at.service);
    browser.cookies = `threadlore-session-8411=${"a".repeat(43)}`;
    const planted = browser.cookies;
    const reply = await browser.signIn("anna");
    expect(reply).toMatchObject({ status: 303, location: "/account" });
    expect(browser.cookies).not.toBe(planted);
    expect(reply.headers.get("set-cookie")).toMatch(
      /^threadlore-session-8411=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const before = browser.cookies;
    await browser.signIn("anna");
    const old = new Browser(at.service);
    old.cookies = before;
    expect((await old.open("/account")).location).toBe("/sign-in?next=%2Faccount");
    const secure = new Browser(at.service, { origin: "https://127.0.0.1" });
    expect((await secure.signIn("anna")).headers.get("set-cookie")).toMatch(
      /^__Host-threadlore=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it("signs nobody out of another service of this machine, whose cookies the browser keeps together", async () => {
    at.addPerson("anna");
    const browser = new Browser(at.service);
    await browser.signIn("anna");
    const other = openPeople();
    other.addPerson("bo");
    const there = new Browser(other.service, { origin: "http://127.0.0.1:8412" });
    there.cookies = browser.cookies;
    await there.signIn("bo");
    browser.cookies = there.cookies;
    expect((await there.open("/account")).text).toContain("bo");
    expect((await browser.open("/account")).text).toContain("anna");
    await other.service.close();
  });

  it("takes what its own page sends and nothing else, however the path is written", async () => {
    at.addPerson("anna");
    for (const path of ["/sign-in", "/%73ign-in", "/sign%2Din", "/s%69gn-in"]) {
      const fields = { user: "anna", password: PASSWORD };
      const program = { origin: null, "sec-fetch-site": null };
      const refused = await new Browser(at.service).send(path, fields, program);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(refused.text).toContain("<!doctype html>");
      expect(refused.headers.get("set-cookie")).toBeNull();
    }
  });

  it("says the same of a wrong password, a name nobody has, a disabled account and one of a provider", async () => {
    at.addPerson("anna");
    at.database.transact(disablePerson(at.addPerson("gone"), 0));
    at.database.transact(signIn({ issuer: "https://login.example.com", subject: "1", userName: "bo" }, 0));
    const pages = [];
    for (const [user, password] of [
      ["anna", "wrong"],
      ["nobody", PASSWORD],
      ["gone", PASSWORD],
      ["bo", PASSWORD],
    ] as const) {
      const { status, text } = await new Browser(at.service).signIn(user, password);
      pages.push(`${status} ${text}`);
    }
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toMatch(/^401 [\s\S]*The user name or the password is wrong/);
  });

  it("counts attempts for each account and place, and lets its person in again soon", async () => {
    at.addPerson("anna");
    const browser = new Browser(at.service);
    // Passwords take their time, so most of the guesses go on at once.
    const guesses = await Promise.all(Array.from({ length: 13 }, () => browser.signIn("anna", "wrong")));
    const statuses = guesses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429, 429]);
    const told = await browser.signIn("anna");
    expect(told).toMatchObject({ status: 429, text: expect.stringContaining("Try again in 10 minutes") });
    expect(told.headers.get("retry-after")).toBe("600");
    at.clock.now += 600_000;
    expect((await browser.signIn("anna")).status).toBe(303);
  }, 30_000);

  it.each([
    ["https://evil.example/", "/account"],
    ["//evil.example", "/account"],
    ["/\\evil.example", "/account"],
    ["/sign-in/device?user_code=BCDF-GHJK", "/sign-in/device?user_code=BCDF-GHJK"],
    ["/sign-in/device?user_code=BCDF&next=https://evil.example", "/account"],
    ["/sign-in/device\r\nSet-Cookie: a=b", "/account"],
    ["/sign-in/authorize?client_id=a+%E6%9C%BA&state=b", "/sign-in/authorize?client_id=a+%E6%9C%BA&state=b"],
    ["/sign-in/authorize?client_id=a\r\nSet-Cookie: a=b", "/account"],
    ["/sign-in/authorize/../../evil?x", "/account"],
  ])("leads on from %j to %s and nowhere else", async (next, to) => {
    at.addPerson("anna");
    expect((await at.browserOf("anna").open(`/sign-in?next=${encodeURIComponent(next)}`)).location).toBe(to);
  });

  it("speaks the language the browser asks for, has no script, and is shown in no frame", async () => {
    const german = await new Browser(at.service, { language: "pl, de-CH;q=0.8, en;q=0.5" }).open("/sign-in");
    expect(german.text).toContain('<html lang="de">');
    expect(german.text).toContain("Benutzername");
    expect((await new Browser(at.service, { language: "xx" }).open("/sign-in")).text).toContain('<html lang="en">');
    const policy = german.headers.get("content-security-policy") ?? "";
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(german.text) ?? [];
    expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'/);
    expect(german.text).not.toMatch(/<script|<img|<link|javascript:|style="/i);
    expect(german.headers.get("cache-control")).toBe("no-store");
  });
});

describe("what pages send", () => {
  const POSTS = ["/sign-in", "/sign-in/device/answer", "/account/sign-out", "/account/keys/1/end", "/account/password"];

  it.each(POSTS)("%s is taken from this service's own pages alone", async (path) => {
    at.addPerson("anna");
    const foreign: Record<string, string | null>[] = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example", "sec-fetch-site": null },
      { origin: "http://127.0.0.1:9999", "sec-fetch-site": "same-site" },
      { origin: "null" },
      { origin: null, "sec-fetch-site": null },
      { "sec-fetch-site": "cross-site" },
      { origin: `chrome-extension://${"a".repeat(32)}` },
    ];
    for (const headers of foreign) {
      const reply = await at.browserOf("anna").send(path, {}, headers);
      expect([headers, reply.status, reply.headers.get("set-cookie")]).toEqual([headers, 403, null]);
      expect(reply.text).toContain("<html");
    }
  });

  it("is refused in the reader's own words, with where to go on", async () => {
    const browser = new Browser(at.service, { language: "de" });
    const refused = await browser.send("/sign-in", {}, { origin: "https://evil.example" });
    expect(refused.text).toContain("nicht von einer Seite dieses Dienstes");
    expect(refused.text).toContain("http://127.0.0.1:8411/account");
    expect((await browser.send("/sign-in", { user: "anna" })).text).toContain("nicht zu verstehen");
  });

  it("is opened from a link anywhere as a whole page, and from nowhere as a part of another", async () => {
    const browser = new Browser(at.service);
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await browser.open("/sign-in", link)).status).toBe(200);
    expect((await browser.open("/sign-in", { ...link, "sec-fetch-dest": "iframe" })).status).toBe(403);
    expect((await browser.open("/sign-in", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" })).status).toBe(
      403,
    );
  });

  it("is no key: nothing but pages is answered for a cookie", async () => {
    at.addPerson("anna");
    expect((await at.browserOf("anna").open("/me")).status).toBe(401);
    expect((await at.browserOf("anna").open("/me/keys")).status).toBe(401);
  });
});

describe("one's own account", () => {
  it("shows who one is and which keys there are; ends a key, and signs out", async () => {
    at.addPerson("anna", "anna@example.com");
    await at.keyOf("anna", "chat bot <b>in</b> Acme");
    const browser = at.browserOf("anna");
    const { text } = await browser.open("/account");
    expect(text).toContain("anna@example.com");
    expect(text).toContain("chat bot &#60;b&#62;in");
    expect(text).toContain("No documents yet");
    const path = /action="(\/account\/keys\/\d+\/end)"/.exec(text)?.[1] ?? "";
    at.addPerson("bo");
    await at.browserOf("bo").send(path, {});
    expect((await browser.open("/account")).text).toContain("chat bot");
    expect((await browser.send(path, {})).text).toContain("No program has a key");
    const left = browser.cookies;
    expect((await browser.send("/account/sign-out", {})).location).toBe("/sign-in");
    browser.cookies = left;
    expect((await browser.open("/account")).location).toContain("/sign-in");
  });

  it("ends with the account, and after twelve hours without use", async () => {
    const id = at.addPerson("anna");
    const browser = at.browserOf("anna");
    at.clock.now += 11 * 3_600_000;
    expect((await browser.open("/account")).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
    at.clock.now += 11 * 3_600_000;
    expect((await browser.open("/account")).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
    at.clock.now += 13 * 3_600_000;
    expect((await browser.open("/account")).status).toBe(303);
    const other = at.browserOf("anna");
    at.database.transact(disablePerson(id, at.clock.now));
    expect((await other.open("/account")).status).toBe(303);
  });

  it("gets another password for the one until now, and every browser is signed out", async () => {
    at.addPerson("anna");
    const browser = at.browserOf("anna");
    const change = (current: string, password: string) => browser.send("/account/password", { current, password });
    expect((await change("wrong", "a whole new password")).status).toBe(401);
    expect((await change(PASSWORD, "short")).text).toContain("at least 12 characters");
    expect((await change(PASSWORD, "a whole new password")).text).toContain("The password is changed");
    expect((await browser.open("/account")).status).toBe(303);
    expect((await browser.signIn("anna")).status).toBe(401);
    expect((await browser.signIn("anna", "a whole new password")).status).toBe(303);
  }, 30_000);
});

describe("a password that an administrator replaces while the one before is looked at", () => {
  const SET = "set by an administrator";

  it("signs nobody in any more, whichever came first", async () => {
    const id = at.addPerson("anna");
    const hash = await hashOfPassword(SET);
    const browser = new Browser(at.service);
    const going = browser.signIn("anna");
    await pause(20);
    at.database.transact(setPassword(id, hash));
    await going;
    expect((await browser.open("/account")).status).toBe(303);
  });

  it("is not overwritten by who knows the one before", async () => {
    const id = at.addPerson("anna");
    const hash = await hashOfPassword(SET);
    const browser = at.browserOf("anna");
    const going = browser.send("/account/password", { current: PASSWORD, password: "what the other one wants" });
    await pause(20);
    at.database.transact(setPassword(id, hash));
    await going;
    expect((await new Browser(at.service).signIn("anna", SET)).location).toBe("/account");
  }, 30_000);

  it("leaves no browser signed in across a time in which the account was disabled", async () => {
    const id = at.addPerson("anna");
    const browser = new Browser(at.service);
    const going = browser.signIn("anna");
    await pause(20);
    at.database.transact(disablePerson(id, at.clock.now));
    await going;
    at.database.transact(enablePerson(id));
    expect((await browser.open("/account")).status).toBe(303);
  });
});

describe("passwords that nobody had time to look at", () => {
  it("count as no attempts: whoever comes when there is time is let in", async () => {
    at.addPerson("anna");
    const browser = () => new Browser(at.service);
    const statuses = [];
    for (const round of [1, 2]) {
      const many = Array.from({ length: 40 }, (_, number) => browser().signIn(`nobody-${round}-${number}`, "wrong"));
      statuses.push(...(await Promise.all(many)).map(({ status }) => status));
    }
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    expect((await browser().signIn("anna")).location).toBe("/account");
  }, 60_000);
});
