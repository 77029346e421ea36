import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../index.ts";
import { partsOf, understand } from "./asked.ts";
import { decide } from "./decide.ts";
import { clausesOf } from "../research.ts";
import { fileText } from "../retrieve.ts";
import type { Evidence } from "../source.ts";

/** A small handbook: title, text. Written so that unrelated questions share words with it. */
const HANDBOOK: readonly (readonly [title: string, text: string])[] = [
  [
    "Leave policy",
    "Employees accrue 27 days of paid leave per calendar year. Unused days expire on 31 March of the following year. Ask your manager to approve leave at least two weeks ahead.\n\n## Parental leave\n\nParents may take up to twelve months of parental leave. Tell the people team seven weeks before it begins.",
  ],
  [
    "Sick days",
    "If you are ill, write to your manager before 9:30. From the fourth day on we need a doctor's note. Sick days do not count against your leave.",
  ],
  [
    "Travel and expenses",
    "Book trains in second class. Flights shorter than four hours are economy only. The daily meal allowance is 28 euros. Hand in receipts within 30 days in the expense tool; money comes back with the next salary.",
  ],
  [
    "VPN guide",
    "Install the client from the software portal. The VPN address is vpn.example.com. To reset your token:\n\n- open the portal\n- press Reset\n- scan the code with your phone",
  ],
  [
    "Wi-Fi in the office",
    "The network for staff is called Juniper. Guests use Juniper-Guest; the password changes every Monday and hangs at reception.",
  ],
  [
    "Printers",
    "Printers stand on the second and fourth floor. Hold your badge to the reader to release a print job. Jobs are deleted after 24 hours.",
  ],
  [
    "On-call rota",
    "On-call lasts one week and begins on Tuesday at 10:00. Whoever is on call gets 300 euros per week plus time off for every incident at night. Swap shifts in the rota tool.",
  ],
  [
    "Incident process",
    "Declare an incident in the channel #incidents. The first responder becomes incident lead until somebody takes over. Write the review within five working days. Customers are told by the support team, never by engineers.",
  ],
  [
    "Deployments",
    "We deploy every weekday between 9:00 and 16:00. There are no deployments on Friday afternoon. A rollback is done with `deploy rollback SERVICE`. Database migrations need a second reviewer.",
  ],
  [
    "Code review",
    "Every change needs one approval. Reviews are answered within one working day. Changes to billing need an approval from the payments team.",
  ],
  [
    "Backups",
    "Databases are backed up every night at 2:00 and kept for 35 days. A restore is rehearsed every quarter. The last rehearsal took 48 minutes.",
  ],
  [
    "Security basics",
    "Passwords live in the password manager. Report a suspicious mail with the button in the mail program; do not forward it. Lost laptops are reported to security@example.com at once, day or night.",
  ],
  [
    "Onboarding",
    "Your laptop is ready on the first day. In the first week you meet your buddy and read this handbook. The trial period lasts six months.",
  ],
  [
    "Home office",
    "You may work from home up to three days per week. Working from abroad is possible for 20 days per year inside the European Union. Ask the people team before you book.",
  ],
  [
    "Salary and bonus",
    "Salaries are paid on the 25th of each month. The bonus is paid in April and depends on company results. Questions about your payslip go to payroll@example.com.",
  ],
  [
    "Office address",
    "The office is at 14 Mill Lane, third floor. The door opens with your badge from 7:00 to 20:00. Bicycles go into the courtyard.",
  ],
  [
    "Product: Lumen limits",
    "Lumen stores up to 5,000 projects per account. Uploads are limited to 2 GB per file. The interface answers 429 after 600 requests per minute.",
  ],
  [
    "Product: Lumen plans",
    "| Plan | Price per month | Seats |\n| --- | --- | --- |\n| Starter | 19 euros | 3 |\n| Team | 79 euros | 15 |\n| Company | 240 euros | 100 |\n\nYearly payment saves two months.",
  ],
  [
    "Refunds",
    "Customers get a full refund within 14 days of purchase. After that we refund the unused months. Refunds are made by the support team and arrive within five working days.",
  ],
  [
    "Data protection",
    "Customer data stays in the Frankfurt region. Deletion requests are carried out within 30 days. The data protection officer is Mara Lindqvist.",
  ],
  [
    "Hiring",
    "Every candidate talks to at least three people. We decide within a week of the last talk. Referrals are rewarded with 1,500 euros after the trial period.",
  ],
  [
    "Meeting rooms",
    "Rooms are booked in the calendar. Unused rooms are freed after ten minutes. The big room, Harbour, holds 40 people.",
  ],
];

/** Question, and what the answer must say. Several word it differently from the handbook. */
const ANSWERABLE: readonly (readonly [question: string, expected: string])[] = [
  ["How many days of paid leave do employees get?", "27 days"],
  ["When do unused leave days expire?", "31 March"],
  ["How long can parental leave be?", "twelve months"],
  ["When do I need a doctor's note?", "fourth day"],
  ["What is the meal allowance when travelling?", "28 euros"],
  ["How do I reset my VPN token?", "press Reset"],
  ["What is the VPN address?", "vpn.example.com"],
  ["What is the guest Wi-Fi password?", "reception"],
  ["Where are the printers?", "second and fourth floor"],
  ["How much do I get for being on call?", "300 euros"],
  ["When does on-call begin?", "Tuesday"],
  ["Who tells customers about an incident?", "support team"],
  ["Do we deploy on Fridays?", "Friday afternoon"],
  ["How do I roll back a deployment?", "deploy rollback"],
  ["How many approvals does a change need?", "one approval"],
  ["How long are database backups kept?", "35 days"],
  ["What should I do about a suspicious mail?", "button in the mail program"],
  ["I lost my laptop, what now?", "security@example.com"],
  ["How long is the trial period?", "six months"],
  ["How many days per week can I work from home?", "three days per week"],
  ["May I work from abroad?", "20 days"],
  ["When is the salary paid?", "25th"],
  ["Where is the office?", "14 Mill Lane"],
  ["What is the upload limit of Lumen?", "2 GB"],
  ["How much is the Team plan?", "79 euros"],
  ["How long do customers have to get a refund?", "14 days"],
  ["Who is the data protection officer?", "Mara Lindqvist"],
  ["Is there a reward for referrals?", "1,500 euros"],
  ["Which wifi network do guests use?", "Juniper-Guest"],
  ["How many people does the Harbour room hold?", "40 people"],
  ["Where is customer data stored?", "Frankfurt"],
];

/** Nothing in the handbook answers these, though most share words with it. */
const UNRELATED = [
  "What is the capital of Mongolia?",
  "Who won the world cup in 1998?",
  "How do I bake sourdough bread?",
  "What is the airspeed of a swallow?",
  "How many planets are there in the solar system?",
  "What time does the museum open on Sunday?",
  "Which floor is best for a kitchen?",
  "How do I change a bicycle tyre?",
  "What did the customer say about Napoleon?",
  "How far is the moon?",
  "Who wrote Don Quixote?",
  "What is the price of gold today?",
  "How do I train a neural network?",
  "Where can I buy concert tickets?",
  "What is the boiling point of mercury?",
  "Is the stock market open on Friday?",
  "How long do cats live?",
  "What is the phone number of the dentist?",
  "Explain quantum entanglement",
  "When was the French revolution?",
];

let service: Service;

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: "Bearer tl_TESTowner", "content-type": "application/json" };
  const request = new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await service.fetch(request)).json() as Promise<Record<string, unknown>>;
}

const ask = (message: string) => post("/chat/send-chat-message", { message, stream: false });

beforeAll(async () => {
  service = createService({ database: ":memory:", apiKey: "tl_TESTowner" });
  for (const [title, text] of HANDBOOK) {
    const link = `https://handbook.example.com/${encodeURIComponent(title)}`;
    const document = { id: title, semantic_identifier: title, source: "web", metadata: {}, sections: [{ text, link }] };
    await post("/service-api/ingestion", { document, cc_pair_id: 1 });
  }
  await service.drain();
});
afterAll(() => service.close());

describe("extractive answers over a small handbook", () => {
  it.each(ANSWERABLE)("%s", async (question, expected) => {
    const { answer, citation_info } = await ask(question);
    expect(answer).toContain(expected);
    expect(answer).toMatch(/\[\[1\]\]\(https:\/\/handbook\.example\.com\//);
    expect(citation_info).not.toEqual([]);
  });

  it("knows no synonyms: it says which word nobody wrote, and what comes closest", async () => {
    expect((await ask("When does on-call start?"))["answer"]).toMatch(
      /^No document mentions “start”\.[^]*\*\*On-call rota\*\*: On-call lasts one week and begins on Tuesday/,
    );
  });

  it("shows what comes closest where too little of the question is said", async () => {
    const { answer, citation_info, finding } = await ask("Can I fly business class on short flights?");
    expect(answer).toContain(
      "but these come closest:\n\n- **Travel and expenses**: Flights shorter than four hours are economy only.",
    );
    expect(citation_info).toEqual([]);
    expect(finding).toMatchObject({ state: "closest", closest: [{ title: "Travel and expenses" }] });
  });

  it("reads a question in capitals as any other", async () => {
    expect((await ask("HOW LONG IS THE TRIAL PERIOD?"))["answer"]).toContain("six months");
    expect((await ask("WHEN IS THE SALARY PAID"))["answer"]).toContain("25th");
  });

  it.each(UNRELATED)("says that nothing was found: %s", async (question) => {
    const { answer, citation_info } = await ask(question);
    expect(answer).toMatch(/^(?:I found nothing about this|No document mentions|The documents I found)/);
    expect(citation_info).toEqual([]);
  });

  it("begins with the sentence that answers, for nearly every question", async () => {
    let direct = 0;
    for (const [question, expected] of ANSWERABLE) {
      const { answer_citationless } = await ask(question);
      if (String(answer_citationless).slice(0, 160).includes(expected)) direct++;
    }
    expect(direct).toBeGreaterThanOrEqual(ANSWERABLE.length - 2);
  });

  it("quotes several documents when several answer", async () => {
    const { answer, citation_info } = await ask("What is done within five working days?");
    expect(answer).toContain("Write the review within five working days.");
    expect(answer).toContain("arrive within five working days");
    expect(citation_info).toHaveLength(2);
  });
});

/** Evidence as search would rank it: title, heading, text. */
type Found = readonly [title: string, heading: string, text: string];

function evidenceOf(passages: readonly Found[]): Evidence[] {
  return passages.map(([title, heading, text], index) => ({
    source: fileText({ id: title, type: "document", name: title }, "").source,
    heading,
    text,
    score: 1 - 0.1 * index,
  }));
}

function quotesFor(question: string, ...passages: readonly Found[]): [title: string, text: string][] {
  const decision = decide(understand(question, { passages: 100, holding: () => 3 }), evidenceOf(passages));
  return decision.state === "quote" ? decision.quotes.map(({ source, text }) => [source.title, text]) : [];
}

describe("the order of quotes", () => {
  it("quotes what answers each part of a question, the sentences of one passage together", () => {
    const farewell = "Hand in your badge. Unspent euros of the bicycle allowance end on the day you move out.";
    const bicycles =
      "A bicycle allowance of 300 euros is paid per year. Up to 80 unspent euros stay for the next year.";
    expect(
      quotesFor(
        "How many euros of bicycle allowance do I get, and what happens to unspent euros?",
        ["Moving out", "", farewell],
        ["Bicycles", "Allowance", bicycles],
      )
        .slice(0, 2)
        .toSorted(),
    ).toEqual([
      ["Bicycles", "A bicycle allowance of 300 euros is paid per year."],
      ["Bicycles", "Up to 80 unspent euros stay for the next year."],
    ]);
  });

  it("leaves out sentences that hold less of the question and nothing new", () => {
    const text = "The harbour pilot works from five to nine. The crane drivers go home at four. Pilots like tea.";
    expect(quotesFor("When does the harbour pilot work?", ["Harbour", "", text])).toEqual([
      ["Harbour", "The harbour pilot works from five to nine."],
    ]);
  });

  it("begins with the sentence that says what something is, when that is asked", () => {
    expect(
      quotesFor(
        "What is a fender?",
        ["Repairs", "", "Order a fender at the store and write its number down."],
        ["Words", "", "**Fender**: the cushion between a ship and the quay."],
      )[0],
    ).toEqual(["Words", "**Fender**: the cushion between a ship and the quay."]);
  });

  it("begins with the most direct sentence of a passage, though another stands before it", () => {
    const text =
      "Crane drivers on the night shift wear a helmet. Crane drivers on the night shift rest every ninety minutes.";
    expect(quotesFor("How often do crane drivers on the night shift rest?", ["Cranes", "", text])[0]).toEqual([
      "Cranes",
      "Crane drivers on the night shift rest every ninety minutes.",
    ]);
  });

  it("tells the rows of a table apart by their values, not by the names of the columns they share", () => {
    const table =
      "| Berth | Depth of the quay | Ships |\n|---|---|---|\n| North | 9 m | ferries |\n| South | 14 m | tankers |";
    const rows = quotesFor("What is the depth of the quay at the south berth?", ["Berths", "", table]);
    expect(rows).toEqual([["Berths", "Berth: South, Depth of the quay: 14 m, Ships: tankers"]]);
    const classes = ["Cabins", "", "| Class | Beds |\n|---|---|\n| Blue | two |\n| Red | four |"] as const;
    expect(quotesFor("Which class may I sail?", classes, ["Travel", "", "We sail second class."])[0]).toEqual([
      "Travel",
      "We sail second class.",
    ]);
  });

  it("quotes rows that differ in a figure only", () => {
    const table =
      "| Berth | Fee | Paid to |\n|---|---|---|\n| North | 80 euros | harbour master |\n| North | 95 euros | harbour master |";
    expect(quotesFor("What are the berth fees?", ["Fees", "", table])).toHaveLength(2);
  });

  it("lets the sentence below a heading answer that says all that is asked", () => {
    expect(
      quotesFor("How much do I get for my home office?", [
        "Expenses",
        "Expenses > Home office",
        "Everyone gets 900 euros once. After four years again.",
      ])[0],
    ).toEqual(["Expenses", "Everyone gets 900 euros once."]);
  });

  it("quote a denial that says nothing but the question's own words", () => {
    const passwords = "Passwords have at least 14 characters. Passwords do not expire.";
    expect(quotesFor("When do passwords expire?", ["Passwords", "", passwords]).map(([, text]) => text)).toContain(
      "Passwords do not expire.",
    );
  });

  it("says nothing twice, also where a sentence needs the one before it", () => {
    const text = "The night ferry takes bicycles. It takes bicycles for 4 euros.";
    const quotes = quotesFor("Does the night ferry take bicycles?", ["Ferry", "", text]).map(([, quote]) => quote);
    expect(new Set(quotes).size).toBe(quotes.length);
  });

  it.each(["How long is a sabbatical?", "How soon is a sabbatical granted?"])(
    "asks for no word that only says what kind of answer is wanted: %s",
    (question) => {
      const text = "A sabbatical of six weeks is granted after five years.";
      expect(quotesFor(question, ["Leave", "", text])).toEqual([["Leave", text]]);
    },
  );
});

describe("lists in an answer", () => {
  it("stand on lines of their own, the first entry too", async () => {
    const text = "| Berth | Depth |\n|---|---|\n| North berth | 9 m |\n| South berth | 14 m |";
    const document = { id: "berths", semantic_identifier: "Berths", sections: [{ text }] };
    await post("/service-api/ingestion", { document, cc_pair_id: 1 });
    await service.drain();
    const { answer_citationless } = await ask("What is the depth of each berth?");
    expect(answer_citationless).toBe("- Berth: North berth, Depth: 9 m\n- Berth: South berth, Depth: 14 m");
  });
});

describe("several questions in one", () => {
  const statistics = { passages: 100, holding: () => 3 };

  it("are four at most, each once", () => {
    const asked = "Where is the key? Who has the map? Where is the key? When is the race? How deep is the well? Why?";
    const parts = partsOf(understand(asked.repeat(50), statistics)).map(({ text }) => text.trim());
    expect(parts).toEqual(["Where is the key", "Who has the map", "When is the race", "How deep is the well"]);
  });

  it("of one word over and over are read once through", () => {
    const { words } = understand("quand ".repeat(10_000), statistics);
    expect(words.length).toBeLessThan(2);
  });
});

describe("clauses of a question", () => {
  it.each([
    ["How much leave do I have?", ["How much leave do I have?"]],
    ["What are the leave rules and the overtime rules?", ["What are the leave rules", "the overtime rules"]],
    [
      "Compare the Starter plan with backups, refunds, and hiring",
      ["Compare the Starter plan with backups", "refunds", "hiring"],
    ],
    ["When is payday? Who runs payroll?", ["When is payday", "Who runs payroll"]],
  ])("%s", (question, clauses) => {
    expect(clausesOf(question)).toEqual(clauses);
  });
});
