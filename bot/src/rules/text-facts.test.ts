import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { textFacts } from "./text-facts.ts";

const look = (text: string) => textFacts(text, { botUserId: "U0SELF" });

describe("a question", () => {
  it.each([
    "How many days of leave do I have?",
    "how do I reset my password",
    "Hi all! Does anyone know where the printer is?",
    "what's the address of the Bergen office",
    "Who owns the billing service?",
    "The build fails since noon. Where can I see the log?",
    "Can someone tell me how to get a badge",
    "Is there a template for offers? Thanks!",
    "<!here> which gate does the courier use?",
    "<@U0SELF> what is our VAT number?",
    "Wie lange dauert die Probezeit?",
    "wo finde ich die Reisekostenrichtlinie",
    "Weiß jemand, wer für den Drucker zuständig ist",
    "Comment on fait pour poser des congés ?",
    "Où est la salle Fjord ?",
    "¿Dónde puedo ver mi nómina?",
    "cómo se pide un portátil nuevo",
    "Come si chiede un rimborso?",
    "Onde posso ver o meu contrato?",
    "Hoe kan ik mijn wachtwoord wijzigen",
    "Jak mogę zgłosić urlop",
    "有給休暇は何日ありますか？",
    "报销流程是怎样的？",
    "هل يوجد دليل للموظفين الجدد؟",
    "Why does `npm test` fail on my machine?",
  ])("%s", (text) => {
    expect(look(text).question).toBe(true);
  });

  it.each([
    "Good morning everyone!",
    "Hi, how are you?",
    "How's it going everybody?",
    "Moin, wie geht's euch?",
    "Deployed 4.2 to production.",
    "When I deploy on Fridays, nobody is happy.",
    "What a day it was",
    "Really?",
    "What?",
    "???",
    "We ship on Friday, right?",
    "Das machen wir so, oder?",
    "See https://example.com/search?q=vpn for more",
    "<https://example.com/?a=b|the page?>",
    "```if (a ? b : c) { how do I }```",
    "`why?` is the name of the flag",
    "&gt; how do I get access to it?\nlike this",
    "> how do I get access to it?",
    "Do not push to main please",
    "which is nice",
    "Who cares",
    ":question: :thinking_face:",
    "",
  ])("is not: %s", (text) => {
    expect(look(text).question).toBe(false);
  });
});

describe("small talk", () => {
  it.each([
    "thanks!",
    "Thank you so much :pray:",
    "ok",
    "Perfect, thanks a lot",
    "danke dir!",
    "merci beaucoup",
    ":tada:",
    "👍",
    "hi",
    "got it",
    "yes",
  ])("%s", (text) => {
    expect(look(text)).toMatchObject({ smallTalk: true, question: false, empty: false });
  });

  it.each([
    "and on a phone",
    "thanks, and in Bergen?",
    "ok?",
    "the one from March",
    "yes but which one",
    "Reisekosten",
  ])("is not: %s", (text) => {
    expect(look(text).smallTalk).toBe(false);
  });
});

describe("mentions", () => {
  it.each([
    { text: "<@U0SELF> hello there", others: false, empty: false },
    { text: "<@U0SELF>", others: false, empty: true },
    { text: " <@U0SELF|threadlore> ", others: false, empty: true },
    { text: "<@U0SELF> <@U0ANNA>", others: true, empty: false },
    { text: "<@U0SELFISH> hello", others: true, empty: false },
    { text: "<@W0ANNA> hello", others: true, empty: false },
    { text: "<!subteam^S0OPS|ops> hello", others: true, empty: false },
    { text: "<!channel> hello", others: false, empty: false },
    { text: "<#C0GENERAL|general> hello", others: false, empty: false },
  ])("$text", ({ text, others, empty }) => {
    expect(look(text)).toMatchObject({ mentionsOthers: others, empty });
  });
});

describe("hostile texts", () => {
  it("of 100,000 characters are looked at, without an expression that never ends", () => {
    const bricks = ["<@", "<", "```", "`", "how ", "? ", "&gt;", ":", "a", "thanks ", " ", "\n", "？", "hi hey "];
    const facts = bricks.map((brick) => look(brick.repeat(100_000 / brick.length)));
    expect(facts.filter(({ mentionsOthers }) => mentionsOthers)).toHaveLength(0);
  });

  it("of any characters never throw", () => {
    const random = seededRandom(7);
    const alphabet = [
      "<",
      ">",
      "@",
      "U",
      "0",
      "?",
      "`",
      " ",
      "\n",
      "é",
      "何",
      "\ud800",
      "!",
      "^",
      ":",
      "how",
      "do",
      "I",
    ];
    for (let round = 0; round < 2_000; round += 1) {
      const text = Array.from({ length: 30 }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
      expect(typeof look(text).question).toBe("boolean");
    }
  });
});
