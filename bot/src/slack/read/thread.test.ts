import { describe, expect, it } from "vitest";
import type { People } from "./people.ts";
import { readMessage } from "@threadlore/documents/slack";
import { threadText } from "./thread.ts";

/** People who are called like their ids, counted. */
function counted(): { people: People; asked: Set<string> } {
  const asked = new Set<string>();
  const people: People = {
    async account(id) {
      asked.add(id);
      return { id, name: `name of ${id}`, kind: "member" };
    },
    place: () => Promise.resolve(undefined),
    groupsOf: () => Promise.resolve([]),
    hasLeft: () => Promise.resolve(false),
    forget: () => undefined,
  };
  return { people, asked };
}

const thread = (count: number, text: (index: number) => string) => ({
  question: undefined,
  before: Array.from({ length: count }, (_, index) =>
    readMessage({ ts: `${index + 1}.1`, user: "U1", text: text(index) }),
  ),
  isGone: false,
  unread: 0,
  isRough: false,
});
const options = { budget: 12_000, self: "UBOT", isAnswer: () => Promise.resolve(true) };

describe("the text of a thread", () => {
  it("looks up only so many names, whatever people mention", async () => {
    const { people, asked } = counted();
    const mentions = (index: number): string => Array.from({ length: 150 }, (_, at) => `<@U${index}X${at}>`).join(" ");
    const { text, leftOut } = await threadText(thread(1_200, mentions), { ...options, people });
    expect(asked.size).toBeLessThanOrEqual(101);
    expect(text.length).toBeLessThan(13_000);
    expect(leftOut).toBeGreaterThan(1_000);
  });

  it("makes text only of the messages there is room for", async () => {
    const { people, asked } = counted();
    const { text, leftOut } = await threadText(
      thread(1_200, (index) => `<@UMENTION${index}> ${"word ".repeat(8_000)}`),
      { ...options, people },
    );
    expect(asked.has("UMENTION0")).toBe(true);
    expect(asked.has("UMENTION1199")).toBe(true);
    expect(asked.has("UMENTION600")).toBe(false);
    expect(text).toContain("(shortened)");
    expect(leftOut).toBe(1_198);
  });

  it("says that a message was shortened, also where ids take most of its room", async () => {
    const { people } = counted();
    const { text } = await threadText(
      thread(1, () => `${"<!subteam^S0123456789|@a> ".repeat(1_000)} and the end`),
      { ...options, people },
    );
    expect(text).not.toContain("and the end");
    expect(text).toContain("(shortened)");
  });

  it("keeps everything of a thread that fits, in order", async () => {
    const { people } = counted();
    const { text, leftOut } = await threadText(
      thread(60, (index) => `message ${index}.`),
      { ...options, people },
    );
    expect(leftOut).toBe(0);
    const places = Array.from({ length: 60 }, (_, index) => text.indexOf(`message ${index}.`));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});
