import type { KindPage } from "../kind-page.ts";

/** Plain text, in the encodings it comes in. Named by their files: a text has no title. */

const utf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, "utf16le");

/** Russian in the bytes of windows-1251. */
function cyrillic(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (code >= 0x410 && code <= 0x44f) return code - 0x350;
    return letter === "ё" ? 0xb8 : letter === "—" ? 0x97 : code;
  });
}

/** Hebrew in the bytes of windows-1255. */
const hebrew = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return code >= 0x5d0 && code <= 0x5ea ? code - 0x4f0 : code;
  });

/** “灯台日誌 灯台は毎晩午後六時に点灯する。 霧笛は三十秒ごとに鳴る。”, a blank line between its sentences, in the bytes of Shift_JIS, which Node cannot write. */
const SHIFT_JIS = Buffer.from(
  "939491e493fa8e8f0a0a939491e482cd968894d38cdf8ce3985a8e9e82c9935f939482b782e981420a0a96b6934a82cd8e4f8f5c956282b282c682c996c282e981420a",
  "hex",
);

export const TEXTS: readonly KindPage[] = [
  {
    at: "downloads-quillstore/4.2.1/release-notes.txt",
    language: "en",
    what: "release notes, UTF-8 with charset",
    type: "text/plain; charset=utf-8",
    title: "release-notes",
    question: "Which setting was renamed in 4.2.1?",
    passage: "- The setting keep_last was renamed keep_versions; the old name works until 5.0.",
    answer: "keep_versions",
    facts: ["Buckets with a dot in their names are restored."],
    body: `QUILLSTORE 4.2.1
================

Fixed
- Buckets with a dot in their names are restored.

Changed
- The setting keep_last was renamed keep_versions; the old name works until 5.0.
`,
  },
  {
    at: "log-brassworks/var/log/import-2026-11-03.log",
    language: "en",
    what: "log file, several hundred lines",
    type: "text/plain",
    title: "import-2026-11-03",
    question: "Why was invoice 7781 rejected?",
    passage: "2026-11-03 02:14:55 ERROR invoice 7781 rejected: currency missing in line 3",
    answer: "currency missing in line 3",
    facts: ["2026-11-03 02:00:00 INFO import started"],
    body: [
      "2026-11-03 02:00:00 INFO import started",
      ...Array.from(
        { length: 400 },
        (_, at) =>
          `2026-11-03 02:${String(1 + Math.floor(at / 31)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")} INFO invoice ${7_000 + at} taken`,
      ),
      "2026-11-03 02:14:55 ERROR invoice 7781 rejected: currency missing in line 3",
      "2026-11-03 02:15:02 INFO import ended",
    ].join("\n"),
  },
  {
    at: "raw-forge/quill/main/README.md",
    language: "en",
    what: "markdown served as text",
    type: "text/plain; charset=utf-8",
    title: "README",
    question: "Which port does the quill server listen on?",
    passage: "The server listens on port 9410 unless `QUILL_PORT` says otherwise.",
    answer: "9410",
    facts: ["npm install -g quill"],
    body: `# quill

Object storage for one machine.

## Install

    npm install -g quill

## Run

The server listens on port 9410 unless \`QUILL_PORT\` says otherwise.
`,
  },
  {
    at: "gutenburg/files/88/88-0.txt",
    language: "en",
    what: "a book, long, with lines broken at 70 characters",
    type: "text/plain; charset=utf-8",
    title: "88-0",
    question: "What did the harbour master keep in the blue tin?",
    passage: "In the blue tin the harbour master kept the letters of his brother,\nwhich he had never opened.",
    answer: "the letters of his brother",
    body: [
      "THE HARBOUR MASTER'S DAUGHTER\n\nCHAPTER I",
      ...Array.from(
        { length: 150 },
        (_, at) =>
          `It was the ${at + 1}th morning of that long winter, and the snow lay upon the\nroofs as it had lain since the herring fleet came home without the Maria,\nand nobody in the town spoke of it before the lamps were lit.`,
      ),
      "In the blue tin the harbour master kept the letters of his brother,\nwhich he had never opened.",
      ...Array.from(
        { length: 60 },
        (_, at) =>
          `She counted the gulls upon the mole, and when she came to number ${at + 20} she\nbegan again, for the wind had changed.`,
      ),
    ].join("\n\n"),
  },
  {
    at: "rfc-mirror/notes/wire-17",
    language: "en",
    what: "a note without a file ending, UTF-16 with a mark at its beginning",
    type: "text/plain",
    title: "wire-17",
    question: "How many bytes does a wire frame header have?",
    passage: "A frame header has 14 bytes, of which the last two are a checksum.",
    answer: "14 bytes",
    body: utf16(
      "NOTE 17: FRAMES\r\n\r\nA frame header has 14 bytes, of which the last two are a checksum.\r\n\r\nFrames without one are dropped in silence.\r\n",
    ),
  },
  {
    at: "arkhiv-mayak/instrukciya.txt",
    language: "ru",
    what: "инструкция в кодировке windows-1251",
    type: "text/plain; charset=windows-1251",
    title: "instrukciya",
    question: "Как часто нужно протирать линзу маяка?",
    passage: "Линзу маяка протирают каждые десять дней мягкой тканью без спирта.",
    answer: "каждые десять дней",
    body: cyrillic(
      "Памятка смотрителю\n\nЛинзу маяка протирают каждые десять дней мягкой тканью без спирта.\n\nЛампу меняют весной и осенью.\n",
    ),
  },
  {
    at: "sjis-archive/todai.txt",
    language: "ja",
    what: "Shift_JIS のテキスト",
    type: "text/plain; charset=shift_jis",
    title: "todai",
    question: "霧笛は何秒ごとに鳴りますか",
    passage: "霧笛は三十秒ごとに鳴る。",
    answer: "三十秒",
    body: SHIFT_JIS,
  },
  {
    at: "unterlagen-verein/satzung.txt",
    language: "de",
    what: "Satzung in Latin-1, ohne Angabe der Kodierung",
    type: "text/plain; charset=iso-8859-1",
    title: "satzung",
    question: "Wie viele Mitglieder müssen für eine Auflösung stimmen?",
    passage: "Für die Auflösung des Vereins müssen drei Viertel der Mitglieder stimmen.",
    answer: "drei Viertel",
    body: Buffer.from(
      "SATZUNG\n\n§ 1 Der Verein heißt Bootsfreunde Süd.\n\n§ 9 Für die Auflösung des Vereins müssen drei Viertel der Mitglieder stimmen.\n",
      "latin1",
    ),
  },
  {
    at: "milaffat-jamiya/mahdar.txt",
    language: "ar",
    what: "محضر اجتماع نصي",
    type: "text/plain; charset=utf-8",
    title: "mahdar",
    question: "متى موعد الاجتماع القادم؟",
    passage: "موعد الاجتماع القادم يوم الأحد الثامن من ديسمبر في القاعة الكبرى.",
    answer: "الثامن من ديسمبر",
    body: "محضر الاجتماع الشهري\n\nحضر تسعة أعضاء واعتذر اثنان.\n\nموعد الاجتماع القادم يوم الأحد الثامن من ديسمبر في القاعة الكبرى.\n",
  },
  {
    at: "kvatzim-vaad/protokol.txt",
    language: "he",
    what: "פרוטוקול בקידוד windows-1255",
    type: "text/plain; charset=windows-1255",
    title: "protokol",
    question: "כמה דיירים הצביעו בעד המעלית?",
    passage: "בעד המעלית הצביעו אחד עשר דיירים, ונגדה שלושה.",
    answer: "אחד עשר דיירים",
    body: hebrew("פרוטוקול אסיפת דיירים\n\nבעד המעלית הצביעו אחד עשר דיירים, ונגדה שלושה.\n\nהעבודות יתחילו באביב.\n"),
  },
];
