import { refusalsOf } from "@threadlore/chat-workspace";
import { linksOf } from "@threadlore/ask";
import type { Answer } from "@threadlore/ask";
import { describe, expect, it } from "vitest";
import { answerOf, CITED } from "../../testing/answers.ts";
import { answerMessages } from "../layout/answer-messages.ts";
import { failureMessage, publicWords } from "../../ask/answer-view.ts";
import { ACTIONS, actionRow, followUpRow } from "./answer-actions.ts";
import { closingBlocks, closingLines } from "./blocks.ts";
import { notificationText } from "./notification.ts";
import { stringsOf } from "../transport/calls.harness.ts";
import { planBlocks, planTitle, taskCards } from "./task-cards.ts";
import { sourceBlocks } from "./sources.ts";

const place = { turn_index: 0, tab_index: 0 };

function closing(answer: Answer, below: Parameters<typeof closingBlocks>[2] = []): string[] {
  return stringsOf(closingBlocks(answer, linksOf(answer), below));
}

/** An answer that cites so many documents. */
function citing(count: number): Answer {
  const numbers = Array.from({ length: count }, (_, at) => at + 10);
  const before = [
    { placement: place, obj: { type: "search_tool_start" } },
    {
      placement: place,
      obj: {
        type: "search_tool_documents_delta",
        documents: numbers.map((number) => ({
          document_id: `doc${number}`,
          semantic_identifier: `Title ${number}`,
          link: `https://docs.ok.test/${number}`,
          blurb: "x",
          source_type: "web",
        })),
      },
    },
    ...numbers.map((number) => ({
      placement: place,
      obj: { type: "citation_info", citation_number: number, document_id: `doc${number}` },
    })),
  ];
  return answerOf({ text: numbers.map((number) => `[${number}]`).join(" "), before });
}

describe("what stands below an answer", () => {
  it("are its sources in one line, with numbers, titles and months, linked where they may be", () => {
    const [line, ...others] = closingBlocks(answerOf({ text: "Yes [1]." }), linksOf(answerOf({ text: "Yes [1]." })));
    expect(stringsOf(line)).toEqual(expect.arrayContaining(["Source", `[1] <${CITED}|Handbook> · Mar 2026`]));
    expect(others).toEqual([]);
    expect(closing(answerOf({ text: "Yes [1].", link: "javascript:alert(1)" }))).toContain("[1] Handbook · Mar 2026");
    const local = closing(answerOf({ text: "Yes [1].", link: "http://192.168.0.1/x" }));
    expect(local).toContain("[1] Handbook (192.168.0.1) · Mar 2026");
  });

  it("shows three sources and folds the others", () => {
    const [line, folded] = sourceBlocks(citing(17), linksOf(citing(17)));
    expect(stringsOf(line).join("\n")).toContain("[3] ");
    expect(stringsOf(line).join("\n")).not.toContain("[4] ");
    expect(folded).toMatchObject({ title: { text: "14 more sources" }, is_collapsible: true, default_collapsed: true });
    expect(stringsOf(folded).join("\n")).toContain("[17] ");
    expect(sourceBlocks(citing(3), linksOf(citing(3)))).toHaveLength(1);
    expect(stringsOf(sourceBlocks(citing(4), linksOf(citing(4)))[1]).join()).toContain("1 more source");
    const many = stringsOf(sourceBlocks(citing(50), linksOf(citing(50)))).join("\n");
    expect(many).toContain("[33] ");
    expect(many).toContain("and 17 more");
    expect(closingLines(citing(17), linksOf(citing(17)))).toContain("and 14 more");
  });

  it("names a message of a chat by who, where and when, and never by its text", () => {
    const said = "The spare key to the tide hut hangs behind the blue door.";
    const message = (known: object): string =>
      closing(answerOf({ text: "There [1].", title: said, source: { source_type: "slack", ...known } })).join("\n");
    const whole = message({ primary_owners: ["Mara *Lind*"], metadata: { channel: "general" } });
    expect(whole).toMatch(/\[1\] <[^|]+\|Mara \*\u2060Lind\* in #general> · 12 Mar/);
    expect(whole).not.toContain("blue door");
    expect(message({ metadata: { Channel: "general" } })).toContain("|A message in #general> ·");
    const titled = { primary_owners: ["Mara"], metadata: { channel: "general", titled: "by hand" } };
    expect(message(titled)).toContain("|The spare key to the tide hut hangs behind the blue door.> · Mar 2026");
    const kept = { ...titled, metadata: { ...titled.metadata, channel: "#general", kept: "answer" } };
    expect(message(kept)).toContain("blue door.> · kept from #general by Mara, Mar 2026");
    const odd = { ...kept, primary_owners: ["<!here> *Mara*"] };
    expect(message(odd)).toContain(" by &lt;!here&gt; *\u2060Mara*, Mar 2026");
    const direct = { channel: "mpdm-a-b", visibility: "group conversation" };
    expect(message({ primary_owners: ["Mara"], metadata: direct })).toContain("|Mara> · 12 Mar");
    // Of last year the year is told too.
    const answer = answerOf({ text: "[1]", source: { source_type: "slack", primary_owners: ["Mara"] } });
    const later = stringsOf(sourceBlocks(answer, linksOf(answer), Date.parse("2027-01-02T00:00:00Z"))).join();
    expect(later).toContain("· 12 Mar 2026");
  });

  it("gives a title its own direction, cuts a long one in the line and leaves out a date nobody knows", () => {
    const arabic = closing(answerOf({ text: "[1]", title: "سياسة الإجازات" })).join();
    expect(arabic).toContain("|\u2068سياسة الإجازات\u2069> · Mar 2026");
    const long = closing(answerOf({ text: "[1]", title: "T".repeat(200), source: { updated_at: null } })).join();
    expect(long).toMatch(/\|T{59}…>$/m);
  });

  it("says plainly when no source was cited", () => {
    expect(closing(answerOf({ text: "Yes." }))).toContain("No source was cited.");
  });

  it("says how the text came to be only where that is wanted, and calls no quotation AI", () => {
    const said = (answer: Answer): string =>
      stringsOf(closingBlocks(answer, linksOf(answer), [], { disclaimer: true })).join();
    const generated = answerOf({ text: "Yes [1]." });
    expect(closing(generated).join()).not.toContain("check important");
    expect(said(generated)).toContain("AI-generated – check important details.");
    const quoted = said(answerOf({ text: "Yes [1].", finding: { state: "quote" } }));
    expect(quoted).toContain("Quoted from the documents – check important details.");
    expect(quoted).not.toContain("AI");
  });

  it("says how an answer ended that is not complete", () => {
    const failed = answerOf({ text: "Half", before: [], stop: false });
    const cut: Answer = { ...failed, status: "partial" };
    const broken = "The answer broke off before it was complete. Ask again to get all of it.";
    expect(closing(cut)).toContain(`:warning: ${broken}`);
    expect(closing(cut).join()).not.toContain("No source was cited");
    expect(closing({ ...failed, status: "stopped" })).toContain(
      ":warning: The answer was stopped before it was complete.",
    );
    const failure = { message: "The model <!here> is busy.", code: "RATE_LIMIT", retryable: true };
    expect(closing({ ...failed, status: "failed", failure })).toContain(
      ":warning: The language model is busy or out of reach at the moment. Ask again in a minute.",
    );
    expect(closingLines(cut, linksOf(cut))[0]).toBe(broken);
  });

  it("ends with one row of what can be done, and one of what can be asked", () => {
    const answer = answerOf({ text: "Yes [1]." });
    expect(closing(answer).join()).not.toContain("answer_");
    const [row, ...rest] = actionRow("ref-1", ["more", "human", "regenerate", "votes"]);
    expect(rest).toEqual([]);
    expect(row?.elements.map((element) => ("action_id" in element ? element.action_id : ""))).toEqual([
      ACTIONS.good,
      ACTIONS.bad,
      ACTIONS.regenerate,
      ACTIONS.human,
      ACTIONS.more,
    ]);
    expect(stringsOf(row)).toEqual(expect.arrayContaining(["good:ref-1", "bad:ref-1", "ref-1", "how:ref-1"]));
    expect(actionRow("ref-1", [])).toEqual([]);
    const [next] = followUpRow("ref-1", ["How do I ask?", `Why ${"x".repeat(100)}?`]);
    expect(stringsOf(next)).toEqual(expect.arrayContaining(["How do I ask?", "0:ref-1", "1:ref-1"]));
    expect(refusalsOf("chat.postMessage", { channel: "C1", text: "x", blocks: [row, next] })).toEqual([]);
    expect(followUpRow("ref-1", [])).toEqual([]);
  });

  it("is taken by the platform, with very many sources of long titles and addresses too", () => {
    const long = answerOf({ text: "Yes [1].", title: "T".repeat(4_000), link: `${CITED}?${"x".repeat(1_900)}` });
    for (const answer of [long, citing(50)]) {
      const messages = answerMessages(answer, linksOf(answer), actionRow("r", ["votes", "human", "more"]));
      for (const message of messages) {
        const args = { channel: "C1", unfurl_links: false, unfurl_media: false, ...message };
        expect(refusalsOf("chat.postMessage", args)).toEqual([]);
      }
    }
  });
});

describe("a notification", () => {
  const said = (text: string): string => notificationText(answerOf({ text }).blocks, "An answer.");

  it("is the first sentences, without markup", () => {
    expect(said(`## Refunds\n\n**14 days** [[1]](${CITED}), see [page](${CITED}). \`x\``)).toBe("14 days, see page. x");
    expect(said("- one\n- two")).toBe("one; two");
  });

  it("ends with a whole sentence where it can", () => {
    const text = said("A sentence of some length. ".repeat(30));
    expect(text.length).toBeLessThanOrEqual(240);
    expect(text.endsWith("length.")).toBe(true);
    expect(said("x".repeat(900)).endsWith("…")).toBe(true);
  });

  it("says what there is where there are no words", () => {
    expect(said("```\ncode()\n```")).toBe("Code: code()");
    expect(said("| a | b |\n|---|---|\n| 1 | 2 |")).toBe("A table of a, b.");
    expect(said("---")).toBe("An answer.");
    expect(said("# Only a heading")).toBe("Only a heading.");
    expect(said("<!here> **<@U1>** https://evil.test")).toBe("&lt;!here&gt; &lt;@U1&gt; https:\u2060//evil.test");
  });
});

describe("messages for people", () => {
  it("say once when asking again can help, in the reader's own time, with the reference and a Retry button", () => {
    const failure = { code: "RATE_LIMITED", message: "10.0.0.7 says <!channel>.", retryable: true };
    const limit = publicWords({ status: "failed", failure: { ...failure, retryAt: "2026-11-21T15:07:30Z" } });
    expect(stringsOf(failureMessage("R-7F3A", limit))).toEqual(
      expect.arrayContaining([
        ":warning: I could not answer this. Too much has been asked for now. " +
          "Ask again after <!date^1795273680^{date_short_pretty} {time}|2026-11-21 15:08 UTC>.",
        "Reference R-7F3A. Name it when you ask for help.",
        "Retry",
        ACTIONS.retry,
        "R-7F3A",
      ]),
    );
    const unknown = publicWords({ status: "failed", failure: { ...failure, retryAt: "nonsense" } });
    expect(unknown).toBe("Too much has been asked for now. Ask again in a while.");
  });
});

describe("task cards", () => {
  it("tell each step in plain words", () => {
    const document = {
      document_id: "d9",
      semantic_identifier: "Found <!here>",
      link: "https://docs.ok.test/9",
      blurb: "x",
      source_type: "web",
    };
    const before = [
      { placement: place, obj: { type: "search_tool_start" } },
      { placement: place, obj: { type: "search_tool_queries_delta", queries: ["refunds", "<!channel>"] } },
      {
        placement: place,
        obj: {
          type: "search_tool_documents_delta",
          documents: [document, { ...document, document_id: "d10", link: "javascript:x" }],
        },
      },
    ];
    const running = answerOf({ text: "", before: before.slice(0, 2), stop: false });
    const answer = answerOf({ text: "Yes.", before });
    expect(taskCards({ steps: running.steps.map((step) => ({ ...step, state: "running" as const })) })).toEqual([
      { id: "step-0", title: "Searching for “refunds”, “<\u2060!channel>”", status: "in_progress" },
    ]);
    expect(taskCards(answer)).toEqual([
      { id: "step-0", title: "Searched for “refunds”, “<\u2060!channel>”", status: "complete" },
    ]);
    expect(planTitle(answer, "Read the question")).toBe("Searched 2 documents");
    expect(planTitle({ ...running, status: "answering" }, "Read the question")).toMatch(/^Search/);
    const failing = { ...answer, steps: answer.steps.map((step) => ({ ...step, state: "failed" as const })) };
    expect(planTitle(failing, "")).toBe("Searched 2 documents, one step failed");
    expect(planTitle({ ...answer, steps: [] }, "Read the question")).toBe("Read the question");
    const [plan] = planBlocks("Searched 2 documents", taskCards(answer));
    expect(plan).toMatchObject({ type: "plan", title: "Searched 2 documents", tasks: [{ status: "complete" }] });
    expect(planBlocks("Searched", [])).toEqual([]);
  });

  it("keep to 256 characters and forty cards, and say how many more there are", () => {
    const answer = answerOf({ text: "Yes." });
    const step = {
      kind: "search",
      state: "done",
      name: "web",
      queries: ["q".repeat(500)],
      text: "",
      documentIds: [],
      place: "0.0",
    } as const;
    const cards = taskCards({ ...answer, steps: Array.from({ length: 100 }, () => step) });
    expect(cards).toHaveLength(40);
    expect(cards.at(-1)?.title).toBe("61 more steps");
    expect(cards[0]?.title).toHaveLength(256);
    expect(new Set(cards.map((card) => card.id)).size).toBe(40);
  });
});
