import { describe, expect, it } from "vitest";
import { QuestionBody } from "./question.ts";
import { type Message, readMessage } from "@threadlore/documents/slack";
import type { ThreadFacts } from "../rules/rules.ts";
import { parseRules } from "../rules/rules-file.ts";
import { firstDecision, threadFacts } from "./decision.ts";

const SELF = {
  teamId: "T0",
  teamName: "",
  name: undefined,
  userId: "U0SELF",
  botId: "B0SELF",
  appId: undefined,
  url: "https://team.example/",
};

function early(yaml: string, over: Partial<QuestionBody> = {}): string {
  const { rules } = parseRules(yaml, { dmKey: false });
  const question = QuestionBody.parse({
    entry: "follow_up",
    team: "T0",
    channel: "C0",
    ts: "2.0",
    isMessage: true,
    threadTs: "1.0",
    inThread: true,
    user: "U0ADA",
    text: "And how many of them can I carry over?",
    ...over,
  });
  const thread = { own: true, onlyAsker: true, afterAnswer: true };
  const context = { self: SELF, rules: () => rules };
  return firstDecision(context, question, { channelKind: "public", byProgram: false, thread }).kind;
}

describe("what an event alone tells", () => {
  it("keeps a follow-up where only a user group may ask: whether its author is in it is looked up later", () => {
    expect(early("defaults:\n  who_may_ask: [S0TEAM]\n")).toBe("answer");
  });

  it("is enough to stay out of what the bot was not asked", () => {
    expect(early("defaults:\n  follow_ups: off\n")).toBe("stay_out");
    expect(early("{}", { entry: "eager", inThread: false, threadTs: "2.0" })).toBe("stay_out");
    expect(early("defaults:\n  who_may_ask: [U0BOSS]\n")).toBe("stay_out");
  });
});

describe("what a thread tells", () => {
  const said = (user: string, text = "Some words."): Message => readMessage({ type: "message", ts: "1.0", user, text });
  const asked = said("U0ADA", "<@U0SELF> how many days of leave do I have?");
  const facts = (before: readonly Message[]): ThreadFacts =>
    threadFacts(before, { user: "U0ADA", ts: "9.0" }, { self: "U0SELF", own: true });

  it("counts who speaks since the bot was first asked, and not who spoke before", () => {
    expect(facts([said("U0BO"), asked, said("U0SELF")]).onlyAsker).toBe(true);
    expect(facts([asked, said("U0SELF"), said("U0BO")]).onlyAsker).toBe(false);
  });

  it("is an answer to whoever spoke last before it, and to nobody else", () => {
    expect(facts([asked, said("U0SELF")]).afterAnswer).toBe(true);
    expect(facts([asked, said("U0BO", "<@U0SELF> and I?"), said("U0SELF")]).afterAnswer).toBe(false);
    expect(facts([asked]).afterAnswer).toBe(true);
    expect(facts([asked, said("U0SELF"), said("U0ADA")]).afterAnswer).toBe(false);
  });
});
