import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../context.ts";
import {
  addKey,
  addPersonKey,
  callerOf,
  keptOf,
  listKeys,
  listPersonKeys,
  revokeKept,
  revokePersonKey,
} from "../../http/keys.ts";
import { addDocumentSet } from "../connectors.ts";
import type { Databases } from "../contract.harness.ts";
import { all, type SqlStep } from "../steps.ts";
import type { Store } from "../store.ts";
import { visiblePairs, visibleSets } from "../visibility.ts";
import { countAttempt, dropOldAttempts, forgetAttempts, isRemembered, remember } from "./attempts.ts";
import { CODE_SECONDS, giveCode, noteKeyOf, takeCode } from "./authorization-codes.ts";
import { beginBrowserSession, endBrowserSession, personOfBrowser } from "./browser-sessions.ts";
import { answerDevice, beginDevice, deviceAsk, pollDevice } from "./device-requests.ts";
import {
  addLocalPerson,
  changePassword,
  disablePerson,
  enablePerson,
  joinGroup,
  listPersons,
  passwordOf,
  personCalled,
  setPassword,
  signIn,
} from "./persons.ts";
import { EVERYBODY_GROUP, groupNamed, listRules, removeRule, setRule } from "./rules.ts";

const ISSUER = "https://login.example.com";
const ODD = "Löwen 東 nul \0 and 'quotes' \\u0000";

/** What every engine must do for people who sign in. */
export function peopleContract(engine: string, databases: Databases): void {
  describe(`people in ${engine}`, () => {
    let store: Store;
    let close: () => Promise<void> | void;
    beforeEach(async () => {
      ({ store, close } = await databases.open());
    });
    afterEach(() => close());

    it("have a name nobody else ever gets: no key's user, and no person of another provider", async () => {
      await store.write(() => addKey("tl_TEST", { name: "bot", user: "anna", role: "ordinary" }, 0));
      await expect(store.write(() => addLocalPerson({ user: "Anna" }, 0))).rejects.toThrow("Keys have the user anna");
      const identity = { issuer: ISSUER, subject: "1", email: "anna", emailVerified: true };
      const first = await store.write(() => signIn(identity, 5));
      expect(first).toMatchObject({ user: "anna-2", issuer: ISSUER, subject: "1", signedInAt: 5 });
      const second = await store.write(() => signIn({ ...identity, issuer: "https://other.example" }, 6));
      expect(second).toMatchObject({ user: "anna-3" });
      expect(await store.write(() => signIn({ ...identity, name: "Anna" }, 7))).toMatchObject({
        id: first?.id,
        name: "Anna",
      });
      await expect(
        store.write(() => addKey("tl_OTHER", { name: "other", user: "anna-2", role: "ordinary" }, 0)),
      ).rejects.toThrow("anna-2 is a person who signs in");
      expect(await store.read(listKeys())).toHaveLength(1);
      for (const user of [
        "owner",
        "anonymous",
        "",
        "with space",
        "hid\u200Bden",
        "anna\u2800",
        "anna\u3164",
        "an\u034Fna",
        "anna\uFE0F",
        "x".repeat(201),
      ]) {
        await expect(store.write(() => addLocalPerson({ user }, 0))).rejects.toThrow();
      }
      // A letter nobody sees makes no second name that looks the same.
      const hidden = { ...identity, subject: "8", email: "an\u034Fna\u3164" };
      expect(await store.write(() => signIn(hidden, 8))).toMatchObject({ user: "anna-4" });
      // Of requests that add one person at one moment, one does.
      const at = Array.from({ length: 5 }, () => store.write(() => signIn({ ...identity, subject: "9" }, 8)));
      expect(new Set((await Promise.all(at)).map((one) => one?.id)).size).toBe(1);
    });

    it("of one long name are as many as come", async () => {
      const userName = "ä".repeat(180);
      const come = (subject: number) =>
        store.write(() => signIn({ issuer: ISSUER, subject: String(subject), userName }, 1));
      const users = [];
      for (let subject = 0; subject < 120; subject++) users.push((await come(subject))?.user);
      expect(new Set(users).size).toBe(120);
      expect(users).not.toContain(undefined);
    });

    it("change a password for the one until now, as far as that is still kept", async () => {
      const { id } = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      await store.write(() => setPassword(id, "first"));
      const session = await store.write(() => beginBrowserSession(id, 1, "first"));
      expect(session).toBeDefined();
      expect(await store.write(() => changePassword(id, "second", "first"))).toBe(true);
      expect(await store.read(personOfBrowser(session ?? "", 2))).toBeUndefined();
      expect(await store.write(() => changePassword(id, "third", "first"))).toBe(false);
      expect(await store.write(() => beginBrowserSession(id, 1, "first"))).toBeUndefined();
      expect(await store.read(passwordOf("anna"))).toEqual({ id, password: "second" });
      await store.write(() => disablePerson(id, 2));
      expect(await store.write(() => changePassword(id, "third", "second"))).toBe(false);
    });

    it("are known by issuer and subject, never by an address, which counts only where it was verified", async () => {
      const local = await store.write(() => addLocalPerson({ user: "anna", email: "anna@example.com" }, 0));
      const claimed = { issuer: ISSUER, subject: "evil", email: "anna@example.com" };
      const evil = await store.write(() => signIn(claimed, 1));
      expect(evil).toMatchObject({ email: null });
      expect(evil?.id).not.toBe(local.id);
      expect(await store.write(() => signIn({ ...claimed, emailVerified: true }, 2))).toMatchObject({
        id: evil?.id,
        email: "anna@example.com",
      });
      await expect(store.write(() => signIn({ issuer: "local", subject: "anna" }, 1))).rejects.toThrow();
    });

    it("are in groups of any script, whose names have up to two hundred letters", async () => {
      for (const letter of ["م", "営", "क", "e\u0301", "𠀀"]) {
        const name = letter.repeat(200);
        const identity = { issuer: ISSUER, subject: letter, groups: [name, name + letter] };
        const person = await store.write(() => signIn(identity, 1));
        await store.write(() => setRule(groupNamed(name.normalize("NFD"), ISSUER), { role: "editor" }));
        const key = await store.write(() => addPersonKey(person ?? { id: 0, user: "" }, "terminal", 1));
        expect(await store.read(callerOf(key, 2))).toMatchObject({ role: "editor", groups: [name.normalize("NFC")] });
        expect(() => groupNamed(name + letter, ISSUER)).toThrow("1 to 200 characters");
      }
    });

    it("are known by few rows, however many groups they are in that no rule is about", async () => {
      const groups = Array.from({ length: 1_000 }, (_, index) => `group ${index}`);
      const person = await store.write(() => signIn({ issuer: ISSUER, subject: "1", groups }, 1));
      const key = await store.write(() => addPersonKey(person ?? { id: 0, user: "" }, "terminal", 1));
      for (const name of ["group 4", "group 7"]) {
        await store.write(() => setRule(groupNamed(name, ISSUER), { pairs: [1] }));
      }
      const { value: asked } = callerOf(key, 2).next() as { value: SqlStep };
      // Two rules, and the key by itself.
      expect(await store.read(all(asked.sql, ...asked.given))).toHaveLength(3);
      expect(await store.read(callerOf(key, 2))).toMatchObject({ groups: ["group 4", "group 7"], pairs: [1] });
    });

    it("have the union of what rules give to their groups, at each moment", async () => {
      await store.write(() => addDocumentSet({ name: ODD, pairIds: [1] }));
      const person = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      const key = await store.write(() => addPersonKey(person, "terminal", 0));
      const rights = async () => {
        const caller = await store.read(callerOf(key, 1));
        if (caller === undefined) return undefined;
        return { role: caller.role, groups: caller.groups, sees: await store.read(visiblePairs(caller)) };
      };
      expect(await rights()).toEqual({ role: "ordinary", groups: [], sees: [] });
      await store.write(() => setRule(groupNamed(ODD), { role: "admin", documentSets: [ODD] }));
      expect(await rights()).toMatchObject({ role: "ordinary", sees: [] });
      await store.write(() => joinGroup(person.id, ODD));
      expect(await rights()).toEqual({ role: "admin", groups: [ODD], sees: [1] });
      const caller = await store.read(callerOf(key, 1));
      expect(caller).toMatchObject({ user: "anna", documentSets: [ODD], person: { id: person.id } });
      expect([...(await store.read(visibleSets(caller as Caller)))]).toEqual([ODD]);
      // A group of the same name that somebody else says they are in gives nothing.
      const foreign = await store.write(() => signIn({ issuer: ISSUER, subject: "1", groups: [ODD, "staff"] }, 0));
      const other = await store.write(() => addPersonKey(foreign ?? person, "terminal", 0));
      expect(await store.read(callerOf(other, 1))).toMatchObject({ role: "ordinary", documentSets: [], pairs: [] });
      await store.write(() => setRule(groupNamed("staff", ISSUER), { pairs: [1] }));
      expect(await store.read(callerOf(other, 1))).toMatchObject({ pairs: [1], groups: ["staff"] });
      await store.write(() => signIn({ issuer: ISSUER, subject: "1" }, 0));
      expect(await store.read(callerOf(other, 1))).toMatchObject({ pairs: [1] });
      await store.write(() => signIn({ issuer: ISSUER, subject: "1", groups: [] }, 0));
      expect(await store.read(callerOf(other, 1))).toMatchObject({ pairs: [] });
      await store.write(() => setRule(EVERYBODY_GROUP, { seesAll: true }));
      expect(await store.read(callerOf(other, 1))).toMatchObject({ documentSets: null });
      expect((await store.read(listRules())).map(({ issuer, name }) => [issuer, name])).toEqual([
        ["", ""],
        [ISSUER, "staff"],
        ["local", ODD],
      ]);
      await store.write(() => removeRule(EVERYBODY_GROUP));
      await store.write(() => removeRule(groupNamed(ODD)));
      expect(await rights()).toEqual({ role: "ordinary", groups: [], sees: [] });
      await store.write(() => disablePerson(person.id, 2));
      expect(await rights()).toBeUndefined();
      await store.write(() => enablePerson(person.id));
      expect(await rights()).toBeUndefined();
    });

    it("have keys and sessions of browsers that nobody else ends, no more than some, and none when disabled", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      const bo = await store.write(() => addLocalPerson({ user: "bo" }, 0));
      await store.write(() => addPersonKey(anna, ODD, 0));
      const [key] = await store.read(listPersonKeys(anna.id, 1));
      expect(key).toMatchObject({ purpose: ODD, createdAt: "1970-01-01T00:00:00.000Z", usedAt: null });
      expect(await store.write(() => revokePersonKey(bo.id, key?.id ?? 0, 1))).toBe(false);
      await store.write(function* () {
        for (let n = 0; n < 60; n++) yield* addPersonKey(bo, `key ${n}`, n);
      });
      const kept = await store.read(listPersonKeys(bo.id, 100));
      expect([kept.length, kept[0]?.purpose, kept.at(-1)?.purpose]).toEqual([50, "key 59", "key 10"]);
      const tokens = await store.write(function* () {
        const made: string[] = [];
        for (let n = 0; n < 12; n++) made.push((yield* beginBrowserSession(anna.id, n)) ?? "");
        return made;
      });
      const holders = await Promise.all(tokens.map((token) => store.read(personOfBrowser(token, 20))));
      expect(holders.map((one) => one?.user)).toEqual([
        undefined,
        undefined,
        ...Array.from({ length: 10 }, () => "anna"),
      ]);
      await store.write(() => endBrowserSession(tokens[5] ?? ""));
      expect(await store.read(personOfBrowser(tokens[5] ?? "", 20))).toBeUndefined();
      expect(await store.read(personOfBrowser(tokens[6] ?? "", 12 * 3_600_000 + 30))).toBeUndefined();
      expect(await store.write(() => disablePerson(anna.id, 5))).toBe(1);
      expect(await store.write(() => disablePerson(anna.id, 6))).toBeUndefined();
      expect(await store.read(personOfBrowser(tokens[6] ?? "", 20))).toBeUndefined();
      expect(await store.write(() => beginBrowserSession(anna.id, 7))).toBeUndefined();
      await store.write(() => setPassword(bo.id, "hash"));
      expect(await store.read(passwordOf("BO"))).toEqual({ id: bo.id, password: "hash" });
      expect(await store.read(personCalled("BO"))).toMatchObject({ id: bo.id });
      expect((await store.read(listPersons())).map(({ user, disabledAt }) => [user, disabledAt])).toEqual([
        ["anna", 5],
        ["bo", null],
      ]);
    });

    it("agree to a request once, whoever asks at the same time", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      const ask = { client: ODD, purpose: ODD, expectedEmail: null };
      const begun = await store.write(() => beginDevice(ask, 0));
      const { deviceCode = "", userCode = "" } = begun ?? {};
      expect(await store.read(deviceAsk(userCode.toLowerCase().replace("-", " "), 1))).toEqual(ask);
      expect(await store.read(deviceAsk("", 1))).toBeUndefined();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => store.write(() => answerDevice(userCode, anna.id, true, 1))),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      const polls = await Promise.all(
        Array.from({ length: 5 }, () => store.write(() => pollDevice(deviceCode, 9_000))),
      );
      expect(polls.filter((state) => typeof state === "object")).toEqual([
        { person: anna.id, purpose: ODD, user: "anna" },
      ]);
      const late = await store.write(() => beginDevice(ask, 0));
      await store.write(() => answerDevice(late?.userCode ?? "", anna.id, true, 1));
      await store.write(() => disablePerson(anna.id, 2));
      expect(await store.write(() => pollDevice(late?.deviceCode ?? "", 9_000))).toBe("expired_token");
    });

    it("agree to a code that one instance takes once, for the key that using it again ends", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      const agreed = { client: ODD, purpose: ODD, redirect: "https://a.example/", challenge: "c", person: anna.id };
      const code = await store.write(() => giveCode(agreed, 0));
      const end = CODE_SECONDS * 1_000;
      const takes = await Promise.all(Array.from({ length: 5 }, () => store.write(() => takeCode(code, end - 1))));
      expect(takes.filter(({ state }) => state === "agreed")).toEqual([{ state: "agreed", agreed }]);
      expect(takes.filter(({ state }) => state === "worthless")).toHaveLength(4);
      const key = await store.write(() => addPersonKey(anna, ODD, 0, "chrome-extension://x"));
      await store.write(() => noteKeyOf(code, keptOf(key)));
      // However long after it was good for something.
      expect(await store.write(() => takeCode(code, 80_000_000))).toEqual({ state: "used", keyHash: keptOf(key) });
      await store.write(() => revokeKept(keptOf(key), 1));
      expect(await store.read(callerOf(key, 1))).toBeUndefined();
      expect(await store.read(listKeys())).toMatchObject([{ origin: "chrome-extension://x" }]);
      const late = await store.write(() => giveCode(agreed, 0));
      expect(await store.write(() => takeCode(late, end))).toEqual({ state: "worthless" });
      const gone = await store.write(() => giveCode(agreed, 200_000_000));
      expect(await store.write(() => takeCode(code, 200_000_000))).toEqual({ state: "worthless" });
      await store.write(() => disablePerson(anna.id, 2));
      expect(await store.write(() => takeCode(gone, 200_000_001))).toEqual({ state: "worthless" });
      expect(await store.write(() => takeCode("", 0))).toEqual({ state: "worthless" });
    });

    it("are let try again after a time, however often they tried meanwhile, and whatever clocks say", async () => {
      const limit = { most: 3, seconds: 60 };
      const tried = (now: number) => store.write(() => countAttempt(ODD, limit, now));
      expect([await tried(0), await tried(1), await tried(2), await tried(3_000), await tried(59_000)]).toEqual([
        0, 0, 0, 57, 1,
      ]);
      expect(await tried(60_000)).toBe(0);
      // The clock went back by a day.
      expect(await tried(-86_400_000)).toBe(0);
      await store.write(() => forgetAttempts(ODD));
      await store.write(() => remember("known", 100));
      expect(await store.read(isRemembered("known", 99))).toBe(true);
      expect(await store.read(isRemembered("known", 100))).toBe(false);
      await store.write(() => dropOldAttempts(100));
      const many = await Promise.all(Array.from({ length: 8 }, () => tried(0)));
      expect(many.filter((wait) => wait === 0)).toHaveLength(3);
    });
  });
}
