/** Answers as the embedded service gives them that say how they stand to their question. */
import type { ScriptedAnswer, ScriptedDocument } from "./scripted-service.harness.ts";

const document = (id: string, title: string, passage: string): ScriptedDocument => ({
  id,
  title,
  link: `https://handbook.example.com/${id}`,
  passage,
});
const named = ({ id, title, link }: ScriptedDocument) => ({ document_id: id, title, link });

const TRAVEL = document("travel", "Travel and expenses", "Book trains in second class.");
const LEAVE = document("leave", "Leave policy", "You have 30 days of leave a year.");
const OLD_LEAVE = document("old-leave", "Old leave policy", "Everybody has 25 days of leave.");
const RECEIPTS = document("receipts", "Receipts", "Receipts go to finance before the end of the month.");

/** Nothing answers it, two documents come close. */
export const CLOSEST: ScriptedAnswer = {
  text: [
    "No document mentions “Mongolia”. I found no answer to this, but these come closest:",
    "- **Travel and expenses**: Book trains in second class; flights need the approval of your lead.\n- **Leave policy**: You have 30 days of leave a year.",
  ].join("\n\n"),
  documents: [TRAVEL, LEAVE],
  finding: {
    state: "closest",
    reason: "No document mentions “Mongolia”.",
    closest: [
      { ...named(TRAVEL), sentence: "Book trains in second class; flights need the approval of your lead." },
      { ...named(LEAVE), sentence: "You have 30 days of leave a year." },
    ],
  },
};

/** Two documents answer it, and say different things. */
export const CONFLICT: ScriptedAnswer = {
  text: [
    `You have 30 days of leave a year [[1]](${LEAVE.link}).`,
    `Everybody has 25 days of leave [[2]](${OLD_LEAVE.link}).`,
    "These sources differ:",
    "- “Leave policy” (12 June 2025): 30 days\n- “Old leave policy” (1 March 2023): 25 days",
  ].join("\n\n"),
  documents: [LEAVE, OLD_LEAVE],
  finding: {
    state: "quote",
    conflict: [
      { ...named(LEAVE), updated_at: "2025-06-12T08:00:00Z", says: "30 days" },
      { ...named(OLD_LEAVE), updated_at: "2023-03-01T08:00:00Z", says: "25 days" },
    ],
  },
};

/** The same, its sources in a line of its one paragraph. */
export const CONFLICT_IN_LINE: ScriptedAnswer = {
  ...CONFLICT,
  text: "You have 30 days of leave a year.\n\nThese sources differ: **Leave policy** (12 June 2025): 30 days · **Old leave policy** (1 March 2023): 25 days.",
};

/** The main points of a document, of a question in which a word was read as another one. */
export const SUMMARY: ScriptedAnswer = {
  text: [
    "I read “reciepts” as “receipts”.",
    "The main points of “Receipts”:",
    [
      "Receipts go to finance before the end of the month",
      "What is paid by card needs one too",
      "Travel costs are paid back within ten days",
    ]
      .map((point) => `- ${point} [[1]](${RECEIPTS.link}).`)
      .join("\n"),
  ].join("\n\n"),
  documents: [RECEIPTS],
  finding: { state: "quote", corrected: [{ written: "reciepts", read: "receipts" }] },
};

const TRAVEL_JA = document("shucchou", "出張と経費", "列車は二等席を予約します。");

/** Nothing answers it, in Japanese. */
export const JAPANESE: ScriptedAnswer = {
  text: [
    "「モンゴル」に触れている文書はありません。回答は見つかりませんでしたが、次の文書が最も近い内容です：",
    "- **出張と経費**：列車は二等席を予約します。航空券には上長の承認が必要です。",
  ].join("\n\n"),
  documents: [TRAVEL_JA],
  finding: {
    state: "closest",
    closest: [{ ...named(TRAVEL_JA), sentence: "列車は二等席を予約します。航空券には上長の承認が必要です。" }],
  },
};

const [RTL_NOW, RTL_OLD] = [
  document("ijaza", "سياسة الإجازات", "ثلاثون يوماً."),
  document("ijaza-old", "سياسة الإجازات القديمة", "خمسة وعشرون يوماً."),
];

/** Sources that differ, written from right to left. */
export const RTL: ScriptedAnswer = {
  text: `لديك ثلاثون يوماً.\n\nتختلف هذه المصادر:\n\n- «${RTL_NOW.title}» (12 يونيو 2025): 30 يوماً\n- «${RTL_OLD.title}» (1 مارس 2023): 25 يوماً`,
  documents: [RTL_NOW, RTL_OLD],
  finding: {
    state: "quote",
    conflict: [
      { ...named(RTL_NOW), updated_at: null, says: "30" },
      { ...named(RTL_OLD), updated_at: null, says: "25" },
    ],
  },
};

/** An answer whose documents have this for a title, and say this. */
export function hostileFinding(words: string): ScriptedAnswer {
  const one = { document_id: "x", title: words, link: "javascript:alert(1)", sentence: words, says: words };
  const other = { ...one, document_id: "y", title: "Plain", link: "https://handbook.example.com/plain" };
  return {
    text: `Closest:\n\n- **${words}**: ${words}\n- **Plain**: ${words}\n\nThey differ: **${words}**: ${words} · **Plain**: ${words}`,
    piece: 200,
    finding: { state: "closest", closest: [one, other], conflict: [one, other], corrected: [{ written: words }] },
  };
}
