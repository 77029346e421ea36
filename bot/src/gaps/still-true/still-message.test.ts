import { expect, it } from "vitest";
import { LIMITS } from "../../slack/transport/limits.ts";
import { linkTo, quoted, stillMessage } from "./still-message.ts";

const KEPT = { title: "Who is aboard?", words: "Two people.", permalink: "https://chat.example.com/p1" };

/** The message about a document that says so, under this address. */
function messageOf(says: string, link: string) {
  const newer = { documentId: "d", title: says, link, says, keptSays: says };
  const doubt = { id: "1", channel: "C1", ts: "1.0", owner: "U1", reason: "contradicted", newer } as const;
  return stillMessage({
    doubt: { ...doubt, state: "new", messages: [], since: 0, updatedAt: 0 },
    kept: KEPT,
    keptAt: 0,
    days: 90,
    showsNewer: true,
  });
}

it.each([
  ["many signs that are escaped", "a & b && <c> ".repeat(60), "https://docs.example.com/crews"],
  ["nothing else", "&".repeat(900), `https://docs.example.com/?${"&".repeat(250)}`],
  ["an address without an end", "Three people.", `https://docs.example.com/${"crews/".repeat(1_000)}`],
])("an owner is asked in sections that have room for %s", (_, says, link) => {
  const texts = messageOf(says, link).blocks.flatMap((block) => (block.type === "section" ? [block.text?.text] : []));
  expect(texts).toHaveLength(2);
  for (const text of texts) expect(text?.length).toBeLessThanOrEqual(LIMITS.sectionText);
});

it("words are quoted in one line and as long as they were, and a title leads to its address", () => {
  const words = "Nobody takes\nthe Gannet out <alone>. ".repeat(7).trim();
  expect(quoted(words)).toBe(`> ${words.replaceAll("\n", " ").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}`);
  expect(linkTo("Crews", "https://docs.example.com/crews", "A document")).toBe(
    "<https://docs.example.com/crews|Crews>",
  );
  expect(linkTo("Crews", `https://docs.example.com/${"c".repeat(2_000)}`, "A document")).toBe("Crews");
});
