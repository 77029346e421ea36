import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { addKey, callerOf, createPairing, listKeys, redeemPairing, revokeKey, wasPaired } from "../http/keys.ts";
import {
  addConnector,
  addCredential,
  addDocumentSet,
  addPair,
  countDocuments,
  findPair,
  listConnectors,
  listCredentials,
  listDocumentSets,
  listPairs,
  pairDocuments,
  swapCredential,
} from "./connectors.ts";
import { addAuditEntries, forgetAuditEntries, listAuditEntries } from "./audit.ts";
import { documentsAt, documentsNamed } from "./document-text.ts";
import {
  deleteDocument,
  documentNumbered,
  listDocuments,
  newestDocuments,
  pairsOfDocument,
  upsertDocument,
} from "./documents.ts";
import { addFile, addPieces, dropLoosePieces, fileOf, findFileName, isUsableImage, ownFileId } from "./files.ts";
import { instanceOf } from "./instance.ts";
import { findPersona, listPersonas } from "./personas.ts";
import {
  beginTurn,
  branchTo,
  countOrigins,
  createSession,
  deleteSession,
  feedbackOf,
  filesOfBranch,
  findMessage,
  findSession,
  firstQuestion,
  forgetTurn,
  listSessions,
  messagesAfter,
  newestMessage,
  removeFeedback,
  renameSession,
  saveAnswer,
  saveFeedback,
  treeOf,
} from "./sessions.ts";
import type { Store } from "./store.ts";
import { listTags } from "./tags.ts";
import { addTool, usableTools } from "./tools.ts";
import { pairsInSets, visiblePairs, visibleSets } from "./visibility.ts";

/** Databases of one engine. */
export interface Databases {
  /** Opens a new, empty store. */
  open(): Promise<{ readonly store: Store; close(): Promise<void> | void }>;
}

const UNICODE = `žluťoučký 🇨🇿 e\u0301 \u202Eמבטא ${"𝒳".repeat(20_000)} \u{10FFFF}`;
const ODD = "nul \0, its escape \u0001, \u00010000, \\u0000, a quote ', a dollar $1, a question? ?1 and \\";
const LONG = `https://intranet.example/${"a/".repeat(6_000)}`;

const ADMIN: Caller = { user: "ann", role: "admin", groups: [], documentSets: null };
const ANONYMOUS: Caller = { user: "anonymous", role: "anonymous", groups: [], documentSets: [] };
const limitedTo = (...documentSets: string[]): Caller => ({ user: "bo", role: "ordinary", groups: [], documentSets });

/** What every engine must do, with the same results to the byte. */
export function storeContract(engine: string, databases: Databases): void {
  describe(`a store in ${engine}`, () => {
    let store: Store;
    let close: () => Promise<void> | void;
    beforeEach(async () => {
      ({ store, close } = await databases.open());
    });
    afterEach(() => close());

    const pairOf = (name: string, access: "public" | "private" = "private"): Promise<number> =>
      store.write(() => addPair({ name, connectorId: 1, credentialId: 1, access }));
    const write = (id: string, pair = 1, more: object = {}): Promise<boolean> =>
      store.write(() =>
        upsertDocument(
          {
            id,
            semantic_identifier: `Title of ${id}`,
            sections: [{ text: "Words." }],
            source: "web",
            metadata: {},
            ...more,
          },
          pair,
          1_700_000_000_000,
        ),
      );

    describe("keys", () => {
      it("are known by what they are until they are revoked", async () => {
        const rights = {
          name: ODD,
          user: UNICODE,
          role: "editor",
          groups: ["a", ODD],
          documentSets: [ODD, "b"],
        } as const;
        await store.write(() => addKey("tl_TEST", { ...rights, groups: [...rights.groups] }, 0));
        await store.write(() => addKey("tl_TEST", { name: "again", role: "admin" }, 1));
        expect(await store.read(callerOf("tl_TEST", 0))).toEqual({
          user: UNICODE,
          role: "editor",
          groups: ["a", ODD],
          documentSets: [ODD, "b"],
        });
        expect(await store.read(callerOf("tl_OTHER", 0))).toBeUndefined();
        const [listed] = await store.read(listKeys());
        expect(listed).toMatchObject({ id: 1, name: ODD, createdAt: "1970-01-01T00:00:00.000Z", revokedAt: null });
        expect(await store.write(() => revokeKey(1, 2_000))).toBe(true);
        expect(await store.write(() => revokeKey(1, 3_000))).toBe(false);
        expect(await store.read(callerOf("tl_TEST", 0))).toBeUndefined();
      });

      it("are given for a code once, to a user of its own, and five wrong codes make every code void", async () => {
        const origin = `chrome-extension://${"a".repeat(32)}`;
        const code = await store.write(() => createPairing(0, { documentSets: ["Site"] }));
        expect(await store.read(wasPaired(origin))).toBe(false);
        const paired = await store.write(() => redeemPairing(code, origin, 1));
        expect(await store.read(callerOf(paired?.key ?? "", 0))).toEqual({
          user: "extension-1",
          role: "editor",
          groups: [],
          documentSets: ["Site"],
        });
        expect(await store.write(() => redeemPairing(code, origin, 2))).toBeUndefined();
        expect(await store.read(wasPaired(origin))).toBe(true);
        const second = await store.write(() => createPairing(0));
        for (let wrong = 0; wrong < 5; wrong++) await store.write(() => redeemPairing("AAAA-AAAA", origin, 3));
        expect(await store.write(() => redeemPairing(second, origin, 4))).toBeUndefined();
      });
    });

    describe("pairs and document sets", () => {
      it("join what fits, and are listed by number", async () => {
        const connector = await store.write(() => addConnector({ name: "Wiki", source: "web" }));
        const credential = await store.write(() => addCredential({ name: "Reader", source: "web" }));
        const other = await store.write(() => addCredential({ name: "Writer", source: "web" }));
        const pair = await store.write(() =>
          addPair({ name: "Site", connectorId: connector, credentialId: credential, access: "public" }),
        );
        expect([connector, credential, other, pair]).toEqual([2, 2, 3, 2]);
        await expect(
          store.write(() => addPair({ name: "Odd", connectorId: connector, credentialId: 1 })),
        ).rejects.toThrow(/must be for the same source/);
        expect(await store.read(findPair(pair))).toEqual({
          id: 2,
          name: "Site",
          connector: { id: 2, name: "Wiki", source: "web" },
          credential: { id: 2, name: "Reader", source: "web" },
          access: "public",
        });
        await store.write(() => swapCredential(connector, other));
        expect((await store.read(listPairs())).map((one) => [one.id, one.credential.name])).toEqual([
          [1, "None"],
          [2, "Writer"],
        ]);
        expect((await store.read(listConnectors())).map(({ name }) => name)).toEqual(["Ingestion", "Wiki"]);
        expect((await store.read(listCredentials())).map(({ name }) => name)).toEqual(["None", "Reader", "Writer"]);
      });

      it("decide what a caller sees; a set that was refused leaves nothing", async () => {
        const [site, hr] = [await pairOf("Site", "public"), await pairOf("HR")];
        await store.write(() => addDocumentSet({ name: "Zoo", pairIds: [hr, site, hr] }));
        await store.write(() => addDocumentSet({ name: ODD, description: "odd", pairIds: [hr] }));
        const refused = (name: string, pairIds: number[]) => store.write(() => addDocumentSet({ name, pairIds }));
        await expect(refused("Zoo", [site])).rejects.toThrow('A document set "Zoo" exists already');
        await expect(refused("New", [site, 99])).rejects.toThrow("There is no pair 99.");
        expect(await store.read(listDocumentSets())).toEqual([
          {
            id: 1,
            name: "Zoo",
            description: "",
            pairs: [
              { id: site, name: "Site", source: "ingestion_api" },
              { id: hr, name: "HR", source: "ingestion_api" },
            ],
          },
          {
            id: expect.any(Number),
            name: ODD,
            description: "odd",
            pairs: [{ id: hr, name: "HR", source: "ingestion_api" }],
          },
        ]);
        expect(await store.read(visiblePairs(ADMIN))).toBeNull();
        expect(await store.read(visiblePairs(ANONYMOUS))).toEqual([site]);
        expect(await store.read(visiblePairs(limitedTo(ODD, "unknown")))).toEqual([hr]);
        expect((await store.read(pairsInSets(["Zoo", ODD]))).toSorted()).toEqual([site, hr]);
        expect([...(await store.read(visibleSets(ANONYMOUS)))]).toEqual(["Zoo"]);
        expect([...(await store.read(visibleSets(limitedTo(ODD))))]).toEqual([ODD]);
      });
    });

    describe("documents", () => {
      it("come back as they were sent, also with names longer than an index holds", async () => {
        const sections = [
          { text: UNICODE, link: LONG },
          { text: ODD, heading: "H" },
        ];
        const metadata = { [ODD]: UNICODE, many: ["a", "a", "b"] };
        expect(await write(LONG, 1, { sections, metadata, title: ODD })).toBe(false);
        const [number] = await store.read(newestDocuments([1], 9));
        expect(number).toBeUndefined();
        const [named] = await store.read(documentsNamed(LONG, null));
        expect(named).toMatchObject({ id: LONG, pairId: 1, sections });
        expect(await store.read(documentsAt(`${LONG.slice(0, -1)}#top`, null))).toEqual([]);
        const [first] = await store.read(listDocuments(null));
        expect(first).toMatchObject({ document_id: LONG, link: LONG, status: "pending", older: 0 });
        expect(await store.read(documentNumbered(1))).toMatchObject({ sections, metadata, title: ODD, pairId: 1 });
        expect(await store.read(documentNumbered(2))).toBeUndefined();
      });

      it("are one for each id and pair, replaced as a whole", async () => {
        const pair = await pairOf("Site");
        expect([await write("a"), await write("a", pair), await write("b")]).toEqual([false, false, false]);
        expect(await write("a", 1, { title: "New", metadata: { team: "x" } })).toBe(true);
        expect(await store.read(pairsOfDocument("a"))).toEqual([1, pair]);
        expect((await store.read(listDocuments([1]))).map((one) => [one.document_id, one.older])).toEqual([
          ["a", 1],
          ["b", 0],
        ]);
        expect((await store.read(listDocuments(null, { most: 1, oldest: 2 }))).map((one) => one.document_id)).toEqual([
          "b",
        ]);
        expect((await store.read(listDocuments(null, { id: "a" }))).map((one) => one.cc_pair_id)).toEqual([1, pair]);
        expect(await store.read(countDocuments())).toEqual(
          new Map([
            [1, { pending: 2, indexed: 0, failed: 0 }],
            [pair, { pending: 1, indexed: 0, failed: 0 }],
          ]),
        );
        expect((await store.read(pairDocuments(1, { size: 1, number: 1 }))).map((one) => one["document_id"])).toEqual([
          "b",
        ]);
        expect(await store.makeRoom(() => deleteDocument("a", 1))).toBe(true);
        expect(await store.makeRoom(() => deleteDocument("a", 1))).toBe(false);
        expect(await store.makeRoom(() => deleteDocument("a", null))).toBe(false);
        expect(await store.read(pairsOfDocument("a"))).toEqual([pair]);
      });

      it("are found at their address, whatever stands behind it, and by the caller's pairs alone", async () => {
        const pair = await pairOf("Site");
        const sections = [{ text: "A" }, { text: "B", link: "https://a.example/x/#part" }];
        await write("a", pair, { sections });
        const found = async (address: string, visible: number[] | null, sources?: string[]) =>
          (await store.read(documentsAt(address, visible, sources))).map(({ id }) => id);
        await store.write(function* () {
          yield { sql: "UPDATE documents SET status = 'indexed'", given: [] };
        });
        expect(await found("https://a.example/x", null)).toEqual(["a"]);
        expect(await found("https://a.example/x/#other", [pair], ["web", "file"])).toEqual(["a"]);
        expect(await found("https://a.example/x", [1])).toEqual([]);
        expect(await found("https://a.example/x", [pair], ["file"])).toEqual([]);
        expect(await store.read(newestDocuments([pair], 5))).toEqual([1]);
        expect(await store.read(documentsNamed("a", [1]))).toEqual([]);
      });

      it("tell their tags to those who see them: prefixes in any case of the alphabet, and in order of bytes", async () => {
        const pair = await pairOf("Site");
        await write("a", pair, { metadata: { Team: ["Zoo", "ant", "Äpfel"], x: LONG } });
        await write("b", 1, { source: "file", metadata: { team: "hidden" } });
        const tags = async (visible: number[] | null, prefix: string, sources: string[] = []) =>
          (await store.read(listTags(visible, { prefix, sources, limit: 9 }))).map((tag) => tag.tag_value);
        expect(await tags(null, "TEAM")).toEqual(["Zoo", "ant", "Äpfel", "hidden"]);
        expect(await tags([pair], "")).toEqual(["Zoo", "ant", "Äpfel", LONG]);
        expect(await tags([pair], "ä")).toEqual([]);
        expect(await tags([pair], "AN")).toEqual(["ant"]);
        expect(await tags(null, "", ["file"])).toEqual(["hidden"]);
      });
    });

    describe("conversations", () => {
      const turnOf = (sessionId: string, parentId: number | null, text: string, more: object = {}) => ({
        sessionId,
        parentId,
        text,
        origin: "api",
        files: [],
        now: 5,
        ...more,
      });
      const newSession = (user = "ann", more: object = {}) => ({
        id: randomUUID(),
        user,
        personaId: 0,
        description: null,
        projectId: null,
        createdAt: 1,
        ...more,
      });

      it("are trees of messages, each answered once", async () => {
        const session = newSession();
        const first = await store.write(() =>
          beginTurn(turnOf(session.id, null, ODD, { files: [{ id: "f" }] }), session),
        );
        const answer = { text: UNICODE, citations: { 1: ODD }, documents: [] };
        await store.write(() => saveAnswer(first.assistantMessageId, { ...answer, status: "running" }));
        await store.makeRoom(() => saveAnswer(first.assistantMessageId, { ...answer, status: "done" }));
        await store.makeRoom(() => saveAnswer(first.assistantMessageId, { text: "late", status: "stopped" }));
        expect(await store.read(findMessage(first.assistantMessageId))).toMatchObject({
          text: UNICODE,
          status: "done",
          citations: { 1: ODD },
          parentId: first.userMessageId,
        });
        const second = await store.write(() => beginTurn(turnOf(session.id, first.assistantMessageId, "Next?")));
        const again = await store.write(() =>
          beginTurn(turnOf(session.id, null, ODD, { userMessageId: first.userMessageId, origin: "slackbot" })),
        );
        expect((await store.read(branchTo(second.assistantMessageId, 3))).map(({ id }) => id)).toEqual([
          first.assistantMessageId,
          second.userMessageId,
          second.assistantMessageId,
        ]);
        expect(await store.read(branchTo(null, 3))).toEqual([]);
        expect(await store.read(filesOfBranch(second.assistantMessageId))).toEqual([{ id: "f" }]);
        expect(await store.read(firstQuestion(session.id))).toBe(ODD);
        expect(await store.read(newestMessage(session.id))).toBe(again.assistantMessageId);
        expect(await store.read(newestMessage("none"))).toBeNull();
        expect((await store.read(treeOf(session.id))).map(({ isRunning }) => isRunning)).toEqual([0, 0, 0, 1, 1]);
        const after = { after: first.userMessageId, last: second.userMessageId, limit: 9 };
        expect((await store.read(messagesAfter(session.id, after))).map(({ text }) => text)).toEqual([
          UNICODE,
          "Next?",
        ]);
        expect(await store.read(countOrigins())).toEqual([
          { origin: "api", messages: 2 },
          { origin: "slackbot", messages: 1 },
        ]);
        await store.makeRoom(() => forgetTurn(second, true));
        expect(await store.read(findMessage(second.userMessageId))).toBeUndefined();
      });

      it("are listed to their user, last used first, a page at a time, and go with all that was said", async () => {
        const [a, b, c] = [newSession(), newSession("ann", { projectId: 7 }), newSession("ann", { createdAt: 9 })];
        for (const session of [a, b, c]) await store.write(() => createSession(session));
        const { userMessageId, assistantMessageId } = await store.write(() => beginTurn(turnOf(a.id, null, "Q")));
        const ids = async (page: object) =>
          (await store.read(listSessions("ann", { limit: 9, ...page }))).map(({ id }) => id);
        expect(await ids({})).toEqual([a.id, c.id, b.id]);
        expect(await ids({ limit: 1 })).toEqual([a.id]);
        expect(await ids({ projectId: 7 })).toEqual([b.id]);
        expect(await ids({ withoutProject: true, before: 6 })).toEqual([a.id]);
        expect(await store.read(listSessions("bo", { limit: 9 }))).toEqual([]);
        await store.write(() => renameSession(a.id, ODD));
        expect(await store.read(findSession(a.id.toUpperCase()))).toMatchObject({ description: ODD, updatedAt: 5 });
        const judged = { messageId: assistantMessageId, user: "ann", text: ODD, now: 1 };
        await store.write(() => saveFeedback({ ...judged, isPositive: true }));
        await store.write(() => saveFeedback({ ...judged, isPositive: false }));
        expect(await store.read(feedbackOf(a.id, "ann"))).toEqual(new Map([[assistantMessageId, "dislike"]]));
        expect(await store.read(feedbackOf(a.id, "bo"))).toEqual(new Map());
        await store.makeRoom(() => removeFeedback(assistantMessageId, "ann"));
        expect(await store.read(feedbackOf(a.id, "ann"))).toEqual(new Map());
        await store.makeRoom(() => deleteSession(a.id));
        expect(await store.read(findSession(a.id))).toBeUndefined();
        expect(await store.read(findMessage(userMessageId))).toBeUndefined();
      });

      it("may be a chain of thousands, and be deleted", async () => {
        const session = newSession();
        await store.write(() => createSession(session));
        await store.write(function* () {
          let parent: number | null = null;
          for (let at = 0; at < 1_500; at++) {
            const ids: { assistantMessageId: number } = yield* beginTurn(turnOf(session.id, parent, `Q${at}`));
            parent = ids.assistantMessageId;
          }
        });
        const newest = await store.read(newestMessage(session.id));
        expect(await store.read(branchTo(newest, 200))).toHaveLength(200);
        await store.makeRoom(() => deleteSession(session.id));
        expect(await store.read(newestMessage(session.id))).toBeNull();
      });
    });

    describe("files", () => {
      const file = (id: string, size: number, kind = "document") => ({
        id,
        name: ODD,
        mediaType: "text/plain",
        chatFileType: kind,
        size,
        text: UNICODE,
        gap: null,
        createdAt: 1,
      });

      it("are their owner's, whole or in pieces", async () => {
        const bytes = new Uint8Array(4_500_000).map((_, at) => at % 251);
        await addPieces(store, "large", bytes, async () => undefined);
        await addPieces(store, "left", bytes.subarray(0, 10), async () => undefined);
        expect(await store.read(fileOf(ADMIN, "large", 9))).toBeUndefined();
        await store.write(() => addFile("ann", file("large", bytes.byteLength), bytes));
        await store.write(() => addFile("bo", file("image", 3, "image"), bytes.subarray(1, 4)));
        expect(await store.read(fileOf(ADMIN, "large", 5))).toEqual({
          ...file("large", 4_500_000),
          text: UNICODE.slice(0, 5),
        });
        expect(await store.read(ownFileId(ADMIN, "image"))).toBeUndefined();
        expect(await store.read(ownFileId(ANONYMOUS, "large"))).toBeUndefined();
        expect(await store.read(findFileName("image"))).toBe(ODD);
        expect(await store.read(isUsableImage(ADMIN, "image"))).toBe(true);
        expect(await store.read(isUsableImage({ ...ADMIN, role: "editor" }, "image"))).toBe(false);
        expect(await store.read(isUsableImage(ADMIN, "large"))).toBe(false);
        await store.makeRoom(() => dropLoosePieces(["left", "large"]));
        await expect(
          store.write(() => addFile("ann", file("left", 11), bytes.subarray(0, 11))),
        ).resolves.toBeUndefined();
      });

      it("are not added where a piece is missing", async () => {
        await addPieces(store, "cut", new Uint8Array(3_000_000), async () => undefined);
        await expect(
          store.write(() => addFile("ann", file("cut", 4_000_000), new Uint8Array(4_000_000))),
        ).rejects.toThrow("parts of the file are missing");
      });
    });

    it("has a built-in tool and persona, more tools of other names, and a name of its own", async () => {
      const tool = { name: ODD, description: UNICODE, definition: { openapi: ODD } };
      expect(await store.write(() => addTool(tool))).toBe(2);
      expect(await store.write(() => addTool(tool))).toBeUndefined();
      expect(await store.read(usableTools(ADMIN))).toMatchObject([
        { id: 1, name: "internal_search" },
        { id: 2, ...tool },
      ]);
      expect((await store.read(usableTools(ANONYMOUS))).map(({ id }) => id)).toEqual([1]);
      expect((await store.read(listPersonas(ADMIN))).map(({ id, name }) => [id, name])).toEqual([[0, "Assistant"]]);
      expect(await store.read(findPersona(ADMIN, 1))).toBeUndefined();
      const { id, epoch } = await store.read(instanceOf());
      expect([id, epoch]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    });

    it("keeps who did what in its order, finds it by person, kind and time, and forgets what is old", async () => {
      const entry = (moment: number, user: string, kind = "ask") => ({
        moment,
        user,
        kind,
        origin: "slackbot",
        address: "::1",
        status: 200,
      });
      const entries = Array.from({ length: 60 }, (_, at) => entry(at, at % 2 === 0 ? LONG : "bo"));
      await store.write(() => addAuditEntries(entries));
      await store.write(() => addAuditEntries([entry(100, "søren", "search")]));
      const list = (filter: object = {}) => store.read(listAuditEntries({ limit: 1_000, ...filter }));
      expect((await list()).map(({ moment }) => moment)).toEqual([
        100,
        ...Array.from({ length: 60 }, (_, at) => 59 - at),
      ]);
      const [newest] = await list({ user: "søren" });
      expect(newest).toEqual({ id: expect.any(Number), ...entry(100, "søren", "search") });
      expect(await list({ user: LONG, before: newest?.id, limit: 3 })).toMatchObject([
        { moment: 58 },
        { moment: 56 },
        { moment: 54 },
      ]);
      expect(await list({ kind: "search", since: 100, until: 101 })).toHaveLength(1);
      expect(await list({ kind: "search", until: 100 })).toEqual([]);
      expect(await store.makeRoom(() => forgetAuditEntries(50))).toBe(50);
      expect(await list()).toHaveLength(11);
    });

    it("keeps nothing of what throws, and all of what others do at the same time", async () => {
      const failing = store.write(function* () {
        yield* addConnector({ name: "gone", source: "web" });
        throw new Error("given up");
      });
      const others = Array.from({ length: 40 }, (_, at) => write(`d${at}`));
      await expect(failing).rejects.toThrow("given up");
      await Promise.all(others);
      expect(await store.read(listConnectors())).toHaveLength(1);
      const listed = await store.read(listDocuments(null));
      expect(new Set(listed.map(({ document_id }) => document_id)).size).toBe(40);
    });
  });
}
