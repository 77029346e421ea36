import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { addPersonKey } from "../../http/keys.ts";
import { beginBrowserSession } from "../../store/people/browser-sessions.ts";
import { personCalled, signIn } from "../../store/people/persons.ts";
import { groupNamed, setRule } from "../../store/people/rules.ts";
import { Browser, call, openPeople } from "./people.harness.ts";

const ISSUER = "https://login.example.com";
const DAY_MS = 86_400_000;

/** A service with somebody of the company's provider, who may do everything, and a key of theirs. */
function open(signInDays?: number) {
  const at = openPeople(signInDays === undefined ? {} : { settings: { signInDays } });
  afterThisTest(() => at.service.close());
  const identity = { issuer: ISSUER, subject: "1", userName: "anna", groups: ["staff"] };
  const signInThere = () => at.database.transact(signIn(identity, at.clock.now));
  const person = signInThere();
  if (person === undefined) throw new Error("nobody signed in");
  at.database.transact(setRule(groupNamed("staff", ISSUER), { role: "admin", seesAll: true }));
  const key = at.database.transact(addPersonKey(person, "terminal", at.clock.now));
  const ask = (path: string, method = "GET") => call(at.service, key, method, path);
  return { ...at, person, ask, signInThere };
}

describe("T44 who leaves at the company's identity provider", () => {
  it("is told to sign in again after thirty days, and goes on with the same key once they did", async () => {
    const { clock, ask, signInThere } = open();
    clock.now += 30 * DAY_MS;
    expect(await ask("/admin/origins")).toMatchObject({ status: 200 });
    clock.now += 1;
    for (const path of ["/admin/origins", "/me", "/no-such-path"]) {
      expect(await ask(path)).toMatchObject({
        status: 401,
        body: {
          error_code: "SIGN_IN_AGAIN",
          detail: expect.stringMatching(
            /more than 30 days ago.*http:\/\/127\.0\.0\.1:8411\/sign-in .*goes on as before/,
          ),
        },
      });
    }
    signInThere();
    expect(await ask("/me")).toMatchObject({ status: 200, body: { role: "admin" } });
  });

  it("may end their own keys at any time, as what is signed out of must not come back", async () => {
    const { clock, ask, signInThere } = open();
    clock.now += 31 * DAY_MS;
    const [{ id }] = (await ask("/me/keys")).body as unknown as [{ id: number }];
    expect(await ask(`/me/keys/${id}`, "DELETE")).toMatchObject({ status: 200 });
    signInThere();
    expect((await ask("/me")).body).toMatchObject({ error_code: "UNAUTHENTICATED" });
  });

  it("is out of their browsers too, where that is sooner than a week", async () => {
    const { database, clock, service, person } = open(1 / 4);
    const browser = new Browser(service);
    browser.cookies = `threadlore-session-8411=${database.transact(beginBrowserSession(person.id, clock.now))}`;
    clock.now += 5 * 3_600_000;
    expect((await browser.open("/account")).status).toBe(200);
    clock.now += 2 * 3_600_000;
    expect((await browser.open("/account")).location).toContain("/sign-in?");
  });

  it("is nobody who has a password here", async () => {
    const { addPerson, database, clock, service } = open();
    addPerson("bo");
    const bo = database.perform(personCalled("bo"));
    const key = database.transact(addPersonKey(bo ?? { id: 0, user: "" }, "terminal", clock.now));
    clock.now += 80 * DAY_MS;
    expect(await call(service, key, "GET", "/me")).toMatchObject({ status: 200 });
  });
});
