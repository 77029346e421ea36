import { column, LOCKED, pdfInScript, pdfOf } from "@threadlore/testkit/files";
import type { KindPage } from "../kind-page.ts";

const PDF = "application/pdf";

/** Documents as word processors, scanners and accounting programs make them. Browsers open them by page. */
export const PDFS: readonly KindPage[] = [
  {
    at: "club-allotment/files/travel-rules.pdf",
    language: "en",
    what: "rules on two pages, with a title",
    type: PDF,
    title: "Travel rules",
    question: "What is the hotel limit per night?",
    passage: "The hotel limit is 120 per night.",
    answer: "120 per night",
    sheet: 2,
    facts: ["Trains come before planes."],
    body: pdfOf(
      [
        ["Travel rules of the allotment club.", "Trains come before planes."],
        ["The hotel limit is 120 per night.", "Breakfast is paid by the club."],
      ],
      { about: "/Title (Travel rules)" },
    ),
  },
  {
    at: "reports-portauthority/annual/2025.pdf",
    language: "en",
    what: "annual report of 24 pages with a running title",
    type: PDF,
    title: "Annual report 2025",
    question: "How many containers were lost overboard?",
    passage: "Three containers were lost overboard, all of them in the storm of the ninth of February.",
    answer: "Three containers",
    sheet: 17,
    body: pdfInScript(
      Array.from({ length: 24 }, (_, at) => [
        ...column(["Port Authority - Annual report 2025"], 60, 760),
        ...column([
          `Chapter ${at + 1}`,
          `In quarter ${(at % 4) + 1} the cranes on berth ${at + 3} moved ${(at + 5) * 1_117} boxes.`,
          ...(at === 16
            ? ["Three containers were lost overboard, all of them", "in the storm of the ninth of February."]
            : ["The tugs were out on every day of it."]),
        ]),
        ...column([`${at + 1}`], 300, 30),
      ]),
      { title: "Annual report 2025" },
    ),
  },
  {
    at: "journal-tides/papers/2026-04.pdf",
    language: "en",
    what: "paper in two columns",
    type: PDF,
    title: "2026-04",
    question: "Which sampling interval did the tide gauge use?",
    passage: "The tide gauge used a sampling interval of six minutes throughout.",
    answer: "six minutes",
    sheet: 1,
    facts: ["Harmonic analysis gave eleven constituents."],
    body: pdfInScript([
      [
        ...column(["On the tides of a small lagoon"], 180, 750),
        ...column(
          [
            "1 Methods",
            "The tide gauge used a sampling",
            "interval of six minutes throughout.",
            "Gaps were left as they were.",
          ],
          40,
          700,
        ),
        ...column(
          ["2 Results", "Harmonic analysis gave eleven", "constituents.", "Two of them were not expected."],
          340,
          700,
        ),
      ],
    ]),
  },
  {
    at: "billing-planhub/invoices/INV-20881.pdf",
    language: "en",
    what: "invoice with a table and a white line for machines",
    type: PDF,
    title: "INV-20881",
    question: "When is invoice INV-20881 due?",
    passage: "Payment is due on 14 December 2026.",
    answer: "14 December 2026",
    sheet: 1,
    facts: ["Team plan, 25 people"],
    unseen: ["internal margin 31 percent"],
    body: pdfInScript([
      [
        ...column(["Invoice INV-20881"], 60, 740),
        ...column(["Item", "Team plan, 25 people", "Setup"], 60, 690),
        ...column(["Amount", "300.00", "0.00"], 420, 690),
        ...column(["Payment is due on 14 December 2026."], 60, 560),
        { text: "internal margin 31 percent", x: 60, y: 100, white: true },
      ],
    ]),
  },
  {
    at: "scans-brassworks/contract-1998.pdf",
    language: "en",
    what: "scan without text",
    type: PDF,
    title: "contract-1998",
    question: "Who signed the contract of 1998?",
    says: ["scan"],
    body: pdfOf([[], [], []]),
  },
  {
    at: "gehalt-werft/abrechnung-2026-10.pdf",
    language: "de",
    what: "Abrechnung mit Kennwort",
    type: PDF,
    title: "abrechnung",
    question: "Wie hoch ist der Auszahlungsbetrag?",
    says: ["locked"],
    body: pdfOf([["Auszahlungsbetrag 2.918,44"]], { trailer: LOCKED }),
  },
  {
    at: "kisoku-tosho/riyou.pdf",
    language: "ja",
    what: "図書館の利用規則",
    type: PDF,
    title: "図書館利用規則",
    question: "本は一度に何冊まで借りられますか",
    passage: "本は一度に十二冊まで、三週間借りることができます。",
    answer: "十二冊",
    sheet: 1,
    facts: ["返却が遅れた場合"],
    body: pdfInScript(
      [
        column(["図書館利用規則", "本は一度に十二冊まで、三週間借りることができます。"]),
        column(["返却が遅れた場合、その日数だけ貸し出しを止めます。"]),
      ],
      { title: "図書館利用規則" },
    ),
  },
  {
    at: "laiha-madrasa/laiha.pdf",
    language: "ar",
    what: "لائحة مدرسية من صفحتين",
    type: PDF,
    title: "لائحة الحضور",
    question: "متى يبدأ الدوام المدرسي؟",
    passage: "يبدأ الدوام المدرسي في الساعة 7:45 صباحا.",
    answer: "7:45",
    sheet: 2,
    body: pdfInScript(
      [column(["لائحة الحضور والغياب"]), column(["يبدأ الدوام المدرسي في الساعة 7:45 صباحا.", "وينتهي عند الظهر."])],
      { title: "لائحة الحضور", rightToLeft: true },
    ),
  },
  {
    at: "takanon-bait/takanon.pdf",
    language: "he",
    what: "תקנון בית משותף",
    type: PDF,
    title: "takanon",
    question: "עד איזו שעה מותר לנגן בבית?",
    passage: "מותר לנגן בבית עד השעה 22:00 בלבד.",
    answer: "22:00",
    sheet: 1,
    body: pdfInScript([column(["תקנון הבית", "מותר לנגן בבית עד השעה 22:00 בלבד.", "הגינה פתוחה לכולם."])], {
      rightToLeft: true,
    }),
  },
  {
    at: "pravila-muzey/posetitelyam.pdf",
    language: "ru",
    what: "правила музея на двух страницах",
    type: PDF,
    title: "Правила посещения",
    question: "Сколько стоит фотографировать в музее?",
    passage: "Фотографировать в музее можно за 150 рублей без вспышки.",
    answer: "150 рублей",
    sheet: 2,
    body: pdfInScript(
      [
        column(["Правила посещения", "Музей открыт со вторника."]),
        column(["Фотографировать в музее можно за 150 рублей без вспышки."]),
      ],
      { title: "Правила посещения" },
    ),
  },
];
