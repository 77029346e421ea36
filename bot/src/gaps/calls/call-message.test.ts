import { expect, it } from "vitest";
import type { CallRecord } from "@threadlore/inbox";
import { callMessage } from "./call-message.ts";

const HOSTILE =
  "<!channel> <@U0BOSS> <!subteam^S0ALL> @here <https://evil.example|the handbook> *x* `y` :boom: &lt;!here&gt; <!date^1^{date}|z>";

const call = (over: Partial<CallRecord> = {}): CallRecord => ({
  task: "T",
  channel: "C",
  by: "UADA",
  asker: "UADA",
  question: HOSTILE,
  helpers: ["UBO", "SNIGHT"],
  closest: [{ title: "<!here> a|b", link: "https://handbook.example/a|b>" }],
  replies: [],
  state: "open",
  askedAt: 1,
  updatedAt: 1,
  ...over,
});

const SHOWN = { keepers: [], visibility: "" };

/** Everything Slack would make of these words but what a reader sees. */
const markupIn = (words: string): readonly string[] => words.match(/<[^>]*>/g) ?? [];

it.each([
  ["of a question all may read", call()],
  ["of a private one", call({ private: { channel: "D", named: true } })],
  ["of one without a name", call({ private: { channel: "D", named: false } })],
])("the message that asks people calls those who were meant alone, and shows the words %s as they are", (_, one) => {
  const { text, blocks } = callMessage(one, SHOWN);
  const named = one.private?.named === false ? [] : ["<@UADA>"];
  expect(markupIn(text)).toEqual(["<@UBO>", "<!subteam^SNIGHT>", ...named]);
  const quotation = blocks.find(({ type }) => type === "rich_text");
  expect(quotation).toEqual({
    type: "rich_text",
    elements: [{ type: "rich_text_quote", elements: [{ type: "text", text: expect.stringContaining("channel>") }] }],
  });
  const others = JSON.stringify(blocks.filter((block) => block !== quotation));
  expect(others).not.toMatch(/channel>|U0BOSS|S0ALL|evil/);
  expect(others).not.toContain("<!here>");
});

it("names nobody who is forgotten", () => {
  const forgotten = call({ asker: "", by: "", question: "" });
  for (const state of ["open", "resolved", "kept"] as const) {
    const { text, blocks } = callMessage({ ...forgotten, state, resolvedBy: "UBO" }, SHOWN);
    expect(text + JSON.stringify(blocks)).not.toContain("<@>");
  }
  expect(callMessage({ ...call(), by: "" }, SHOWN).text).toContain(
    "somebody needs a person for this question of <@UADA>",
  );
});
