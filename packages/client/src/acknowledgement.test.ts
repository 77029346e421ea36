import { ownTime } from "@threadlore/testkit";
import { describe, expect, it, vi } from "vitest";
import {
  acknowledge,
  isFound,
  newerBy,
  newerThan,
  type PassageFound,
  searchFor,
  type SoughtDocument,
} from "./acknowledgement.ts";

const LEAVE =
  "Every employee has twenty-eight days of paid leave a year. Leave that is not taken by the end of March lapses.";

const leave: SoughtDocument = {
  semantic_identifier: "Leave policy",
  doc_updated_at: "2026-11-01T10:00:00Z",
  sections: [{ text: LEAVE, link: "https://wiki.example.com/leave" }],
};

const passage: PassageFound = {
  title: "Leave policy",
  content: LEAVE,
  link: "https://wiki.example.com/leave",
  updated_at: "2026-11-01T10:00:00+00:00",
};

const nothing = async () => [];

describe("a document answered with 200", () => {
  it("is kept without a search when the server says it is new", async () => {
    const search = vi.fn<typeof nothing>(nothing);
    expect(await acknowledge({ reply: { already_existed: false }, document: leave, known: false, search })).toBe(
      "kept",
    );
    expect(search).not.toHaveBeenCalled();
  });

  it("is kept without a search when the server says that it is queued", async () => {
    const search = vi.fn<typeof nothing>(nothing);
    const reply = { already_existed: true, indexing: "queued" };
    expect(await acknowledge({ reply, document: leave, known: false, search })).toBe("kept");
    expect(search).not.toHaveBeenCalled();
  });

  it("is looked for when the server says anything else of its index", async () => {
    const reply = { already_existed: true, indexing: "failed" };
    expect(await acknowledge({ reply, document: leave, known: true, search: nothing })).toBe("unconfirmed");
  });

  const reply = { already_existed: true };

  it.each([false, true])(
    "is unconfirmed when it is said to have existed and is not found (known: %s)",
    async (known) => {
      expect(await acknowledge({ reply, document: leave, known, search: nothing })).toBe("unconfirmed");
    },
  );

  it("is kept when it is said to have existed and is found", async () => {
    const search = async () => [{ title: "Another", content: "Another text altogether, of another matter." }, passage];
    expect(await acknowledge({ reply, document: leave, known: false, search })).toBe("kept");
  });

  it.each([
    [false, "unconfirmed"],
    [true, "kept"],
  ] as const)("on a server without search, and known before: %s, is %s", async (known, expected) => {
    expect(await acknowledge({ reply, document: leave, known, search: async () => undefined })).toBe(expected);
  });

  it("is unconfirmed when the search fails", async () => {
    const search = () => Promise.reject(new Error("500"));
    expect(await acknowledge({ reply, document: leave, known: true, search })).toBe("unconfirmed");
  });
});

describe("looking for a document", () => {
  it("asks for its title and how its longest section begins, in at most 300 characters", () => {
    const long: SoughtDocument = {
      semantic_identifier: "Handbook",
      sections: [{ text: "short" }, { text: `  The\n\nlong ${"👩‍🚀 word ".repeat(100)}` }],
    };
    const query = searchFor(long);
    expect(query.startsWith("Handbook The long ")).toBe(true);
    expect([...query].length).toBe(300);
    expect(query.isWellFormed()).toBe(true);
  });

  it("takes a document of the same title and another text for another one", () => {
    expect(
      isFound(leave, [{ ...passage, link: null, content: "Leave the building by the stairs. ".repeat(5) }], false),
    ).toBe(false);
  });

  it("takes the same text under another title and address for another document", () => {
    expect(isFound(leave, [{ ...passage, title: "Copy", link: "https://wiki.example.com/copy" }], false)).toBe(false);
  });

  it("knows it by its address where the title differs", () => {
    expect(isFound(leave, [{ ...passage, title: "leave.html" }], false)).toBe(true);
  });

  it("takes an earlier state of a changed document for that, by its time of change", () => {
    const earlier = { ...passage, updated_at: "2026-10-01T10:00:00Z" };
    expect(isFound(leave, [earlier], true)).toBe(false);
    expect(isFound(leave, [earlier], false)).toBe(true);
    expect(isFound(leave, [{ ...passage, updated_at: null }], true)).toBe(true);
  });

  it("does not mind that a server cuts seconds, wraps lines and writes a heading before a passage", () => {
    const wrapped = {
      ...passage,
      content: `Leave policy\n\n${LEAVE.replaceAll(". ", ".\n")}`,
      updated_at: "2026-11-01T10:00:00Z",
    };
    expect(isFound({ ...leave, doc_updated_at: "2026-11-01T10:00:00.734Z" }, [wrapped], true)).toBe(true);
  });

  describe("among much", () => {
    const words = (count: number, from: number) =>
      Array.from({ length: count }, (_, at) => `w${((at + from) * 7_919) % 1_000_003}`).join(" ");
    const readme = { semantic_identifier: "README.md", sections: [{ text: words(700_000, 0) }] };
    const others = Array.from({ length: 500 }, (_, at) => ({
      title: "README.md",
      content: words(500, -1_000 * at - 600),
    }));
    const own = { title: "README.md", content: words(500, 400_000) };

    it.each<[string, () => unknown, unknown]>([
      ["500 passages of others with its name", () => isFound(readme, others, false), false],
      ["others and one of its own", () => isFound(readme, [...others.slice(0, 5), own], false), true],
      [
        "a passage of 20 million characters",
        () => isFound(readme, [{ title: "README.md", content: "v1 v2 ".repeat(3_400_000) }], false),
        false,
      ],
      ["its beginning alone, when it is searched for", () => [...searchFor(readme)].length, 300],
    ])("a document of five million characters is told soon from %s", (_what, work, expected) => {
      let result: unknown;
      expect(ownTime(() => (result = work()))).toBeLessThan(4_000);
      expect(result).toBe(expected);
    });
  });

  it.each([
    ["Japanese", "有給休暇は年に二十八日あります。三月末までに取らない休暇は消えます。"],
    ["Arabic", "لكل موظف ثمانية وعشرون يوما من الإجازة المدفوعة في السنة وتسقط الإجازة غير المستخدمة"],
    ["a few words", "Leave: 28 days"],
  ])("reads %s", (_what, text) => {
    const document = { semantic_identifier: "休暇", sections: [{ text }] };
    expect(isFound(document, [{ title: "休暇", content: text }], false)).toBe(true);
    expect(
      isFound(
        document,
        [{ title: "休暇", content: "全く違う文章がここに書かれています。何の関係もありません。" }],
        false,
      ),
    ).toBe(false);
  });
});

describe("a document that is sent once more", () => {
  const at = "2026-11-20T10:00:00.500Z";
  const sent = { doc_updated_at: at, title: "Leave" };

  it("is newer by a second for each time it was sent", () => {
    expect(newerBy(sent, 0)).toBe(sent);
    expect(newerBy(sent, 1)).toEqual({ ...sent, doc_updated_at: "2026-11-20T10:00:01.500Z" });
    expect(newerBy(sent, 3)).toEqual({ ...sent, doc_updated_at: "2026-11-20T10:00:03.500Z" });
  });

  it("without a time of change stays without one, or gets the caller's", () => {
    for (const doc_updated_at of [undefined, null, "lately"]) {
      expect(newerBy({ doc_updated_at }, 1)).toEqual({ doc_updated_at });
      expect(newerBy({ doc_updated_at }, 1, Date.parse(at))).toEqual({ doc_updated_at: "2026-11-20T10:00:01.500Z" });
      expect(newerThan({ doc_updated_at }, Date.parse(at))).toEqual({ doc_updated_at });
    }
  });

  it("is newer than a state that was sent before by a second or more", () => {
    const before = Date.parse(at);
    expect(newerThan(sent, before)).toEqual({ ...sent, doc_updated_at: "2026-11-20T10:00:01.500Z" });
    expect(newerThan(sent, before + 60_000).doc_updated_at).toBe("2026-11-20T10:01:01.500Z");
    expect(newerThan(sent, before - 1_000)).toBe(sent);
    expect(newerThan(sent, before - 999).doc_updated_at).toBe("2026-11-20T10:00:00.501Z");
  });
});
