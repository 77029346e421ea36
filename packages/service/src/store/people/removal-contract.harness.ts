import { IngestionDocument } from "@threadlore/client/models";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addKey, addPersonKey, callerOf } from "../../http/keys.ts";
import { addAsk, askRef } from "../../gaps/asks.ts";
import { OWN } from "../../gaps/book.ts";
import { noteGoodAnswer } from "../../good-answers/good-answers.ts";
import { questionOf } from "../../gaps/gap.harness.ts";
import { noteQuestion } from "../../gaps/noting.ts";
import { GapComparison } from "../../gaps/comparison.ts";
import { addAuditEntries, listAuditEntries } from "../audit.ts";
import type { Databases } from "../contract.harness.ts";
import { upsertDocument } from "../documents.ts";
import { noteKeeper } from "../../keepers/keepers.ts";
import { addFile, addPieces, findFileName } from "../files.ts";
import { beginTurn, createSession, findSession, listSessions, saveFeedback, type TurnIds } from "../sessions.ts";
import { run, type Steps, value } from "../steps.ts";
import type { Store } from "../store.ts";
import { giveCode } from "./authorization-codes.ts";
import { beginBrowserSession, personOfBrowser } from "./browser-sessions.ts";
import { answerDevice, beginDevice, pollDevice } from "./device-requests.ts";
import {
  addLocalPerson,
  disablePerson,
  enablePerson,
  joinGroup,
  listPersons,
  type Person,
  personCalled,
  signIn,
} from "./persons.ts";
import { forgetRemoved, holdingsOf, removePerson } from "./removal.ts";
import { EVERYBODY_GROUP, groupNamed, setRule } from "./rules.ts";
import { PersonError } from "./user-names.ts";

const ISSUER = "https://login.example.com";
const WORDS = "Where is the spare key of the boat house?";
const PAGE = IngestionDocument.parse({
  semantic_identifier: "Page",
  sections: [{ text: "x" }],
  source: "web",
  metadata: {},
});
const NOTHING = {
  keys: 0,
  browsers: 0,
  requests: 0,
  groups: 0,
  conversations: 0,
  messages: 0,
  files: 0,
  auditEntries: 0,
  gapQuestions: 0,
};

/** What every engine must do with the data of a person who is removed. */
export function removalContract(engine: string, databases: Databases): void {
  describe(`removing a person in ${engine}`, () => {
    let store: Store;
    let close: () => Promise<void> | void;
    beforeEach(async () => {
      ({ store, close } = await databases.open());
    });
    afterEach(() => close());

    const file = (id: string, chatFileType = "plain_text") => ({
      id,
      name: `${id} of 李雷.txt`,
      mediaType: "text/plain",
      chatFileType,
      size: 3,
      text: "abc",
      gap: null,
      createdAt: 1,
    });
    const entry = (user: string) => ({ moment: 1, user, kind: "ask", origin: "", address: "192.0.2.7", status: 200 });

    function* talk(user: string, id: string, turns: number): Steps<void> {
      yield* createSession({ id, user, personaId: 0, description: `${user} asks`, projectId: null, createdAt: 1 });
      let parentId: number | null = null;
      for (let turn = 0; turn < turns; turn++) {
        const asked: Parameters<typeof beginTurn>[0] = {
          sessionId: id,
          parentId,
          text: "Where?",
          origin: "api",
          files: [],
          now: 2,
        };
        const turned: TurnIds = yield* beginTurn(asked);
        parentId = turned.assistantMessageId;
        yield* saveFeedback({ messageId: turned.assistantMessageId, user, isPositive: true, text: "Good", now: 3 });
      }
    }

    /** Two questions of theirs without an answer, and one they told of somebody else. */
    function* leaveQuestions(user: string): Steps<void> {
      for (const [at, { caller, asker }] of [
        { caller: OWN, asker: user },
        { caller: OWN, asker: user },
        { caller: user, asker: "U1" },
      ].entries())
        yield* noteQuestion(questionOf({ ref: `${user} ${at}`, caller, asker, words: WORDS }), new GapComparison());
    }

    /** A person with something of everything. */
    async function furnished(person: Person): Promise<{ key: string; cookie: string; device: string }> {
      const { id, user, email } = person;
      await store.write(() => upsertDocument({ ...PAGE, id: "page" }, 1, 1));
      const given = await store.write(function* () {
        yield* joinGroup(id, "staff");
        const key = yield* addPersonKey(person, "terminal", 0);
        const cookie = (yield* beginBrowserSession(id, 0)) ?? "";
        const ask = { client: "bot", purpose: "bot", expectedEmail: email?.toUpperCase() ?? null };
        const begun = yield* beginDevice(ask, 0);
        yield* giveCode({ client: "ext", purpose: "ext", redirect: "x", challenge: "y", person: id }, 0);
        yield* talk(user, `${user}-1`, 3);
        yield* talk(user, `${user}-2`, 1);
        yield* addFile(user, file(`${user}-file`), new Uint8Array(3));
        yield* addAuditEntries([entry(user), entry(user)]);
        yield* leaveQuestions(user);
        yield* askAndKeep(user);
        return { key, cookie, device: begun?.deviceCode ?? "" };
      });
      await addPieces(store, `${user}-large`, new Uint8Array(3), async () => {});
      await store.write(() => addFile(user, file(`${user}-large`), new Uint8Array(3)));
      return given;
    }

    /** A question people may read, a page that others keep as well, and a good answer they told of somebody else. */
    function* askAndKeep(user: string): Steps<void> {
      const asked = { ref: askRef(user, WORDS), caller: OWN, asker: user, words: WORDS, isShared: true };
      yield* noteQuestion(questionOf(asked), new GapComparison(undefined));
      yield* addAsk(user, { question: WORDS, name: user }, 1);
      yield* noteKeeper(user, "page", 1, 1);
      const documents = [{ id: "page", pairId: 1 }];
      yield* noteGoodAnswer({ user, ref: "good", asker: "U1", question: WORDS, documents, askedAt: 1 });
    }

    const remove = async (user: string, now = 5): Promise<void> => {
      const person = await store.read(personCalled(user));
      if (person === undefined) throw new Error("nobody is called so");
      await store.write(() => disablePerson(person.id, now));
      await removePerson(store, person);
    };
    const rows = (table: string) => store.read(value<number>(`SELECT count(*) FROM ${table}`));

    it("takes everything that is theirs, and nothing that is anybody else's", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna", email: "anna@example.com" }, 0));
      const bo = await store.write(() => addLocalPerson({ user: "bo", email: "bo@example.com" }, 0));
      const [hers, his] = [await furnished(anna), await furnished(bo)];
      const all = {
        keys: 1,
        browsers: 1,
        requests: 1,
        groups: 1,
        conversations: 2,
        messages: 8,
        files: 2,
        auditEntries: 2,
        gapQuestions: 5,
      };
      expect(await store.read(holdingsOf(anna))).toEqual(all);
      await remove("anna");
      expect(await store.read(holdingsOf(anna))).toEqual(NOTHING);
      expect(await store.read(holdingsOf(bo))).toEqual(all);
      for (const [table, count] of [
        ["persons", 1],
        ["memberships", 2],
        ["authorization_codes", 1],
        ["sessions", 2],
        ["messages", 8],
        ["feedback", 4],
        ["files", 2],
        ["file_pieces", 1],
        ["audit", 4],
        ["gap_questions", 4],
        ["gap_asks", 1],
        ["good_answers", 1],
        ["document_keepers", 1],
      ] as const)
        expect([table, await rows(table)]).toEqual([table, count]);
      expect(await store.read(callerOf(hers.key, 1))).toBeUndefined();
      expect(await store.read(personOfBrowser(hers.cookie, 1))).toBeUndefined();
      expect(await store.write(() => pollDevice(hers.device, 9_000))).toBe("expired_token");
      expect(await store.read(callerOf(his.key, 1))).toMatchObject({ user: "bo" });
      expect(await store.read(personOfBrowser(his.cookie, 1))).toMatchObject({ user: "bo" });
      expect((await store.read(listPersons())).map(({ user }) => user)).toEqual(["bo"]);
    });

    it("leaves of the audit log what was done and when, and not by whom or from where", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      await store.write(() => addAuditEntries([entry("anna"), entry("bo"), entry("anna")]));
      await remove("anna");
      const left = await store.read(listAuditEntries({ limit: 9 }));
      const standIn = `removed person ${anna.id}`;
      expect(left.map(({ user, address, kind }) => [user, address, kind])).toEqual([
        [standIn, "", "ask"],
        ["bo", "192.0.2.7", "ask"],
        [standIn, "", "ask"],
      ]);
    });

    it("keeps a picture of theirs that stands in a document, under nobody's name", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      const [shown, loose] = ["0f7a4f0e-7f4e-4a8f-9d58-000000000001", "0f7a4f0e-7f4e-4a8f-9d58-000000000002"];
      await store.write(function* () {
        for (const id of [shown, loose]) yield* addFile("anna", file(id, "image"), new Uint8Array(3));
      });
      const document = IngestionDocument.parse({
        id: "plan",
        semantic_identifier: "Plan",
        sections: [{ text: "See", image_file_id: shown }],
        source: "file",
        metadata: {},
      });
      await store.write(() => upsertDocument({ ...document, id: "plan" }, 1, 1));
      await remove("anna");
      expect(await store.read(findFileName(shown))).toBeDefined();
      expect(await store.read(findFileName(loose))).toBeUndefined();
      expect(await store.read(holdingsOf(anna))).toEqual(NOTHING);
    });

    it("gives a name to nobody again, and keeps none that can be read", async () => {
      await store.write(() => addLocalPerson({ user: "änna@example.com" }, 0));
      await remove("änna@example.com");
      await expect(store.write(() => addLocalPerson({ user: "ÄNNA@example.com" }, 0))).rejects.toThrow(
        "already, or was",
      );
      await expect(
        store.write(() => addKey("tl_TEST", { name: "bot", user: "änna@example.com", role: "ordinary" }, 0)),
      ).rejects.toThrow(PersonError);
      expect(await store.read(value<number>("SELECT count(*) FROM user_names WHERE name LIKE '%example%'"))).toBe(0);
    });

    it("makes who signs in with their provider again a new person, with nothing of the former one", async () => {
      const identity = { issuer: ISSUER, subject: "1", email: "anna@example.com", emailVerified: true, groups: ["a"] };
      const first = await store.write(() => signIn(identity, 1));
      await furnished(first as Person);
      await remove(first?.user ?? "");
      const second = await store.write(() => signIn({ ...identity, groups: [] }, 9));
      expect(second).toMatchObject({ user: "anna@example.com-2", createdAt: 9, disabledAt: null });
      expect(second?.id).not.toBe(first?.id);
      expect(await store.read(holdingsOf(second as Person))).toEqual(NOTHING);
      expect(await store.read(listSessions(second?.user ?? "", { limit: 9 }))).toEqual([]);
    });

    it("is refused for who can sign in, and for the last one who may administer, unless that is meant", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      const bo = await store.write(() => addLocalPerson({ user: "bo" }, 0));
      await store.write(function* () {
        yield* setRule(groupNamed("chiefs"), { role: "admin" });
        yield* joinGroup(anna.id, "chiefs");
        yield* joinGroup(bo.id, "chiefs");
      });
      await expect(removePerson(store, anna)).rejects.toThrow("anna can still sign in");
      await store.write(() => disablePerson(bo.id, 1));
      await removePerson(store, bo);
      await store.write(() => disablePerson(anna.id, 1));
      await expect(removePerson(store, anna)).rejects.toThrow("the last person who may administer this service");
      expect(await store.read(listPersons())).toHaveLength(1);
      await removePerson(store, anna, { isLastAdminMeant: true });
      expect(await store.read(listPersons())).toEqual([]);
      // Where everybody is one, nobody is the last as long as there is another.
      const cem = await store.write(() => addLocalPerson({ user: "cem" }, 0));
      await store.write(() => addLocalPerson({ user: "dee" }, 0));
      await store.write(() => setRule(EVERYBODY_GROUP, { role: "admin" }));
      await store.write(() => disablePerson(cem.id, 1));
      await removePerson(store, cem);
    });

    it("is whole or not at all where it is asked for twice, or they are enabled meanwhile", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      const { key } = await furnished(anna);
      await store.write(() => disablePerson(anna.id, 1));
      const ends = await Promise.allSettled([
        removePerson(store, anna),
        removePerson(store, anna),
        store.write(() => enablePerson(anna.id)),
      ]);
      expect(ends.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
      const reasons = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
      expect(reasons.every((reason) => reason instanceof PersonError)).toBe(true);
      const isThere = (await store.read(personCalled("anna"))) !== undefined;
      expect(await store.read(callerOf(key, 2))).toBeUndefined();
      expect(isThere ? NOTHING : await store.read(holdingsOf(anna))).toEqual(NOTHING);
      const cookie = await store.write(() => beginBrowserSession(anna.id, 2));
      expect(cookie !== undefined).toBe(isThere);
    });

    it("goes over many conversations and long ones, a part at a time", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      await store.write(function* () {
        yield* run(
          `INSERT INTO sessions (id, "user", persona_id, created_at, updated_at)
           SELECT CAST(value AS TEXT), 'anna', 0, 1, 1 FROM json_each(?)`,
          JSON.stringify(Array.from({ length: 450 }, (_, n) => `s${n}`)),
        );
        // One message below the other, as in a conversation of years.
        yield* run(
          `INSERT INTO messages (id, session_id, parent_id, role, text, status, created_at)
           SELECT CAST(value AS BIGINT), 's0', nullif(CAST(value AS BIGINT) - 1, 0), 'user', 'Where', 'done', 1 FROM json_each(?)`,
          JSON.stringify(Array.from({ length: 2_400 }, (_, n) => n + 1)),
        );
        yield* addAuditEntries(Array.from({ length: 5_100 }, () => entry("anna")));
      });
      await remove("anna");
      expect(await store.read(holdingsOf(anna))).toEqual(NOTHING);
      expect(await rows("messages")).toBe(0);
    });

    it("takes later what a request left that began before, of nobody who was not removed", async () => {
      await store.write(() => addLocalPerson({ user: "anna" }, 0));
      await remove("anna");
      await store.write(function* () {
        for (const user of ["anna", "never noted"]) {
          yield* talk(user, `late of ${user}`, 1);
          yield* addFile(user, file(`late of ${user}`), new Uint8Array(3));
          yield* addAuditEntries([entry(user)]);
        }
      });
      expect(await forgetRemoved(store)).toBe(1);
      expect(await forgetRemoved(store)).toBe(0);
      expect(await store.read(findSession("late of anna"))).toBeUndefined();
      expect(await store.read(findFileName("late of anna"))).toBeUndefined();
      expect(await store.read(findSession("late of never noted"))).toBeDefined();
      const users = (await store.read(listAuditEntries({ limit: 9 }))).map(({ user }) => user);
      expect(users).toEqual(["never noted", "removed person"]);
    });

    it("lets nobody fetch a key they agreed to before", async () => {
      const anna = await store.write(() => addLocalPerson({ user: "anna" }, 0));
      const begun = await store.write(() => beginDevice({ client: "c", purpose: "p", expectedEmail: null }, 0));
      await store.write(() => answerDevice(begun?.userCode ?? "", anna.id, true, 1));
      await remove("anna");
      expect(await store.write(() => pollDevice(begun?.deviceCode ?? "", 9_000))).toBe("expired_token");
    });
  });
}
