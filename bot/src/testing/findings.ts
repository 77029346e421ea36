/** Answers as the embedded service gives them that say how they stand to their question. */

interface FoundAnswer {
  readonly question: string;
  readonly text: string;
  readonly finding: object;
  /** Documents with the numbers they are cited by. */
  readonly documents: readonly object[];
}

const HANDBOOK = "https://handbook.example";

function document(id: string, title: string, updated_at: string | null = null) {
  return {
    document_id: id,
    semantic_identifier: title,
    link: `${HANDBOOK}/${id}`,
    blurb: title,
    source_type: "web",
    updated_at,
  };
}

const TRAVEL = document("travel", "Travel and expenses");
const LEAVE = document("leave", "Leave policy", "2025-06-12T08:00:00Z");
const OLD_LEAVE = document("old-leave", "Old leave policy", "2023-03-01T08:00:00Z");
const RECEIPTS = document("receipts", "Receipts", "2026-02-03T08:00:00Z");

const named = ({ document_id, semantic_identifier, link }: ReturnType<typeof document>) => ({
  document_id,
  title: semantic_identifier,
  link,
});

/** Nothing answers it, two documents come close. */
export const CLOSEST: FoundAnswer = {
  question: "Who pays for a trip to Mongolia?",
  text: [
    "No document mentions “Mongolia”. I found no answer to this, but these come closest:",
    "- **Travel and expenses**: Book trains in second class; flights need the approval of your lead.\n- **Leave policy**: You have 30 days of leave a year.",
  ].join("\n\n"),
  finding: {
    state: "closest",
    reason: "No document mentions “Mongolia”.",
    closest: [
      { ...named(TRAVEL), sentence: "Book trains in second class; flights need the approval of your lead." },
      { ...named(LEAVE), sentence: "You have 30 days of leave a year." },
    ],
    conflict: [],
    corrected: [],
  },
  documents: [TRAVEL, LEAVE],
};

/** Two documents answer it, and say different things. */
export const CONFLICT: FoundAnswer = {
  question: "How many days of leave do I have?",
  text: [
    "You have 30 days of leave a year. [[1]](https://handbook.example/leave)",
    "Everybody has 25 days of leave. [[2]](https://handbook.example/old-leave)",
    "These sources differ:",
    "- “Leave policy” (12 June 2025): 30 days\n- “Old leave policy” (1 March 2023): 25 days",
  ].join("\n\n"),
  finding: {
    state: "quote",
    closest: [],
    conflict: [
      { ...named(LEAVE), updated_at: LEAVE.updated_at, says: "30 days" },
      { ...named(OLD_LEAVE), updated_at: OLD_LEAVE.updated_at, says: "25 days" },
    ],
    corrected: [],
  },
  documents: [LEAVE, OLD_LEAVE],
};

/** The main points of a document, of a question in which a word was read as another one. */
export const SUMMARY: FoundAnswer = {
  question: "Summarise what we say about reciepts",
  text: [
    "I read “reciepts” as “receipts”.",
    "The main points of “Receipts”:",
    "- Receipts go to finance before the end of the month. [[1]](https://handbook.example/receipts)\n- What is paid by card needs one too. [[1]](https://handbook.example/receipts)\n- Travel costs are paid back within ten days. [[1]](https://handbook.example/receipts)",
  ].join("\n\n"),
  finding: {
    state: "quote",
    closest: [],
    conflict: [],
    corrected: [{ written: "reciepts", read: "receipts" }],
  },
  documents: [RECEIPTS],
};

const TRAVEL_JA = document("shucchou", "出張と経費");

/** Nothing answers it, in Japanese. */
export const JAPANESE: FoundAnswer = {
  question: "モンゴルへの出張費は誰が払いますか？",
  text: [
    "「モンゴル」に触れている文書はありません。回答は見つかりませんでしたが、次の文書が最も近い内容です：",
    "- **出張と経費**：列車は二等席を予約します。航空券には上長の承認が必要です。",
  ].join("\n\n"),
  finding: {
    state: "closest",
    reason: "「モンゴル」に触れている文書はありません。",
    closest: [{ ...named(TRAVEL_JA), sentence: "列車は二等席を予約します。航空券には上長の承認が必要です。" }],
    conflict: [],
    corrected: [],
  },
  documents: [TRAVEL_JA],
};
