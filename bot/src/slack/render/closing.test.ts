import { refusalsOf } from "@threadlore/chat-workspace";
import { linksOf } from "@threadlore/ask";
import type { Answer } from "@threadlore/ask";
import { describe, expect, it } from "vitest";
import { answerOf, CITED } from "../../testing/answers.ts";
import { answerMessages } from "../layout/answer-messages.ts";
import { failureMessage, publicWords } from "../../ask/answer-view.ts";
import { ACTIONS, answerButtons, closingBlocks, closingLines, feedbackButtons } from "./blocks.ts";
import { notificationText } from "./notification.ts";
import { stringsOf } from "../transport/calls.harness.ts";
import { taskCards } from "./task-cards.ts";

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
  it("are its sources with numbers, titles and days, linked where they may be", () => {
    const strings = closing(answerOf({ text: "Yes [1]." }));
    expect(strings).toContain(`[1] <${CITED}|Handbook> · 2026-03-12`);
    expect(strings).toContain("_Put together automatically from these sources; check what matters._");
    expect(closing(answerOf({ text: "Yes [1].", link: "javascript:alert(1)" }))).toContain("[1] Handbook · 2026-03-12");
    const local = closing(answerOf({ text: "Yes [1].", link: "http://192.168.0.1/x" }));
    expect(local).toContain("[1] Handbook (192.168.0.1) · 2026-03-12");
  });

  it("counts the sources beyond ten", () => {
    const text = closing(citing(17)).join("\n");
    expect(text).toContain("[10] ");
    expect(text).not.toContain("[11] ");
    expect(text).toContain("and 7 more");
    expect(closing(citing(10)).join("\n")).not.toContain("more");
    expect(closing(citing(11)).join("\n")).toContain("and 1 more");
  });

  it("says plainly when no source was cited", () => {
    const strings = closing(answerOf({ text: "Yes." }));
    expect(strings).toContain("No source was cited.");
    expect(strings).toContain("_Put together automatically; check what matters._");
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

  it("has only the buttons asked for, with the answer's reference, below everything else", () => {
    const answer = answerOf({ text: "Yes [1]." });
    expect(closing(answer).join()).not.toContain("answer_");
    const buttons = [feedbackButtons("ref-1"), ...answerButtons("ref-1", ["regenerate", "human"])];
    const strings = closing(answer, buttons);
    expect(strings).toEqual(
      expect.arrayContaining([ACTIONS.feedback, ACTIONS.regenerate, ACTIONS.human, "good:ref-1", "bad:ref-1"]),
    );
    expect(strings).not.toContain(ACTIONS.share);
    expect(closingBlocks(answer, linksOf(answer), buttons).slice(-2)).toEqual(buttons);
    const shared = closing(answer, answerButtons("ref-1", ["share"]));
    expect(shared).toContain(ACTIONS.share);
    expect(shared).not.toContain(ACTIONS.feedback);
    expect(shared).not.toContain(ACTIONS.regenerate);
    expect(answerButtons("ref-1", [])).toEqual([]);
  });

  it("is taken by the platform, with very many sources of long titles and addresses too", () => {
    const long = answerOf({ text: "Yes [1].", title: "T".repeat(4_000), link: `${CITED}?${"x".repeat(1_900)}` });
    for (const answer of [long, citing(50)]) {
      const messages = answerMessages(answer, linksOf(answer), [
        feedbackButtons("r"),
        ...answerButtons("r", ["human"]),
      ]);
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
  it("tell each step in plain words, with sources that may be opened", () => {
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
    expect(
      taskCards(
        { ...running, steps: running.steps.map((step) => ({ ...step, state: "running" as const })) },
        linksOf(running),
      ),
    ).toEqual([{ id: "step-0", title: "Searching for “refunds”, “<\u2060!channel>”", status: "in_progress" }]);
    expect(taskCards(answer, linksOf(answer))).toEqual([
      {
        id: "step-0",
        title: "Searched for “refunds”, “<\u2060!channel>”",
        status: "complete",
        sources: [{ url: "https://docs.ok.test/9", text: "Found <\u2060!here>" }],
      },
    ]);
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
    const cards = taskCards({ ...answer, steps: Array.from({ length: 100 }, () => step) }, linksOf(answer));
    expect(cards).toHaveLength(40);
    expect(cards.at(-1)?.title).toBe("61 more steps");
    expect(cards[0]?.title).toHaveLength(256);
    expect(new Set(cards.map((card) => card.id)).size).toBe(40);
  });
});
