import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ChatSubject, openChat } from "../../chat.harness.ts";

let chat: ChatSubject;

/** More sentences than a summary has points. */
const long = (...sentences: string[]): string => sentences.join("\n\n");

beforeEach(async () => {
  chat = await openChat();
  const titled = (id: string, semantic_identifier: string, text: string) =>
    chat.ingest(id, text, { semantic_identifier });
  await titled(
    "travel",
    "Travel",
    long(
      "Book trains and flights in Waymark at least 14 days ahead.",
      "Trips outside Europe need the approval of the head of department.",
      "A night train counts as a hotel.",
      "Flights of more than seven hours may be premium economy.",
      "You may stay over a weekend at your own cost.",
    ),
  );
  await titled(
    "expenses",
    "Travel and expenses",
    long(
      "Meals are paid within the limits.",
      "Send your receipts within thirty days.",
      "Tips are paid up to ten percent.",
      "The minibar is never paid.",
      "Lost receipts need a note of your lead.",
    ),
  );
  await titled(
    "leave",
    "Leave and holidays",
    long(
      "Everyone has 28 working days of leave a year.",
      "Unused days lapse on 31 March.",
      "Enter your leave in Calendry.",
      "Your team lead answers within three days.",
      "Public holidays come on top.",
    ),
  );
  await titled(
    "leaving",
    "Leaving",
    long(
      "Give three months of notice.",
      "Return your laptop on the last day.",
      "Accounts are closed at noon.",
      "The last salary comes at the end of the month.",
      "A reference is written within two weeks.",
    ),
  );
  await titled(
    "urlaub",
    "Urlaub und Elternzeit",
    long(
      "Alle bekommen 30 Arbeitstage im Jahr.",
      "Anträge laufen über das Portal Kalmus.",
      "Resturlaub verfällt am 30. April.",
      "Die Teamleitung entscheidet innerhalb von vier Tagen.",
      "Für einen Umzug gibt es einen Tag.",
    ),
  );
  await titled(
    "conges",
    "Congés annuels",
    long(
      "Chaque salarié dispose de 27 jours de congés par an.",
      "La demande se fait dans l’outil Parenthèse.",
      "Le report est possible jusqu’au 31 août.",
      "Le responsable répond sous cinq jours ouvrés.",
      "Un déménagement donne droit à un jour.",
    ),
  );
  await titled(
    "vacaciones",
    "Vacaciones",
    long(
      "Cada persona tiene 25 días de vacaciones al año.",
      "Todo se pide en Almanaque con antelación.",
      "Los días que sobren se pierden en febrero.",
      "La persona responsable contesta en tres días.",
      "Una mudanza da derecho a dos días.",
    ),
  );
  await titled(
    "kyuka",
    "休暇",
    long(
      "入社日に有給休暇が12日付与されます。",
      "勤怠システムから申請します。",
      "使い残した分は翌年度末まで繰り越せます。",
      "上司の返事は2営業日以内です。",
      "引っ越しは年に1回、1日休めます。",
    ),
  );
});
afterEach(() => chat.close());

describe("a document that is to be summarised", () => {
  it.each([
    ["Summarise the travel page", "Travel"],
    ["Summarize our travel policy, please.", "Travel"],
    ["Give me an overview of the travel and expenses guide", "Travel and expenses"],
    ["Summarise the leave policy", "Leave and holidays"],
    ["Summarise the page about leaving", "Leaving"],
    ["Fasse die Seite zum Urlaub zusammen", "Urlaub und Elternzeit"],
    ["Fasse die Urlaubsrichtlinie zusammen", "Urlaub und Elternzeit"],
    ["Résume la page sur les congés", "Congés"],
    ["Fais-moi un résumé de la politique de congés", "Congés"],
    ["Resume la página de vacaciones", "Vacaciones"],
    ["休暇のページを要約してください", "休暇"],
    ["休暇規程の要点は？", "休暇"],
  ])("is found by what it is about: %s", async (message, title) => {
    const { answer, citation_info } = await chat.answer({ message });
    expect(answer).toMatch(/^(?:The main points of|Das Wichtigste aus|Les points|Los puntos principales de|「)/);
    expect(String(answer).split("\n", 1)[0]).toContain(title);
    expect(citation_info).toHaveLength(1);
  });

  it("is found whatever was asked before", async () => {
    const { chat_session_id } = await chat.answer({ message: "How many days of leave does everyone have?" });
    const { answer } = await chat.answer({ message: "Summarise the travel page", chat_session_id });
    expect(answer).toMatch(/^The main points of “Travel”:/);
  });

  it.each([
    ["Summarise the page on travel to Mongolia", ["Mongolia"]],
    ["Fasse die Seite zum Urlaub in der Mongolei zusammen", ["Mongolei"]],
    ["Résume la page sur les congés en Mongolie", ["Mongolie"]],
    ["Resume la página de vacaciones en Mongolia", ["Mongolia"]],
    ["モンゴル支社の休暇のページを要約してください", ["モンゴル"]],
  ])("is named where there is none, without the words that ask: %s", async (message, named) => {
    const { answer, finding } = await chat.answer({ message });
    const { reason = null } = finding as { readonly reason?: string | null };
    // Where nothing comes close at all, no word is named.
    expect(reason ?? named.join(" ")).toContain(named[0]);
    expect(answer).not.toMatch(
      /[“„«「][\s\u00a0]?(?:summari[sz]e|page|fasse|seite|zusammen|résume|resume|página|ページ|要約)/i,
    );
  });

  it("is the newest of several that are called alike", async () => {
    const prices = (price: string) =>
      long(
        `Starter costs ${price}.`,
        "Team costs 90 €.",
        "Business costs 200 €.",
        "Support is by mail.",
        "Prices are net.",
      );
    const dated = (id: string, price: string, doc_updated_at: string) =>
      chat.ingest(id, prices(price), { semantic_identifier: "Price list", doc_updated_at });
    await dated("prices-1", "40 €", "2024-01-05T00:00:00Z");
    await dated("prices-2", "45 €", "2025-01-05T00:00:00Z");
    await dated("prices-0", "35 €", "2023-01-05T00:00:00Z");
    expect((await chat.answer({ message: "Summarise the price list" })).answer).toContain("45 €");
  });

  it("is not repeated as a whole where it is one long block of code", async () => {
    await chat.ingest("dump", `\`\`\`\n${"INFO the pump runs at 3 bar\n".repeat(5_000)}\`\`\``, {
      semantic_identifier: "Pump log",
    });
    expect(String((await chat.answer({ message: "Summarise the pump log" })).answer).length).toBeLessThan(3_000);
  });
});
