import { pdfOf } from "@threadlore/testkit/files";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ChatSubject, openChat } from "../chat.harness.ts";
import { courtesyIn } from "./courtesies.ts";

describe("a message that asks about nothing", () => {
  it.each([
    ["hello", "greeting", "en"],
    ["Hi there!", "greeting", "en"],
    ["Good morning everyone", "greeting", "en"],
    ["What can you do?", "greeting", "en"],
    ["help", "greeting", "en"],
    ["Thanks!", "thanks", "en"],
    ["ok, thank you so much for your help 🙏", "thanks", "en"],
    ["OK", "thanks", "en"],
    ["Hallo zusammen", "greeting", "de"],
    ["Vielen Dank!", "thanks", "de"],
    ["Was kannst du?", "greeting", "de"],
    ["Bonjour à tous", "greeting", "fr"],
    ["Merci beaucoup pour votre aide", "thanks", "fr"],
    ["¡Hola! ¿Qué puedes hacer?", "greeting", "es"],
    ["¿Qué puedes hacer?", "greeting", "es"],
    ["Muchas gracias", "thanks", "es"],
    ["ありがとうございます！", "thanks", "ja"],
    ["こんにちは", "greeting", "ja"],
  ])("%s", (message, kind, language) => {
    expect(courtesyIn(message)).toEqual({ kind, language });
  });

  it.each([
    "Who wrote the thank-you letter?",
    "help desk",
    "Good morning, where is the canteen?",
    "thanks, and for contractors?",
    "Hilfe bei VPN",
    "The hello page",
    "",
    "?",
    "!!!",
  ])("is not: %s", (message) => {
    expect(courtesyIn(message)).toBeUndefined();
  });
});

describe("what it is answered with", () => {
  let chat: ChatSubject;
  beforeEach(async () => {
    chat = await openChat();
    await chat.ingest("leave", "Everybody has 28 days of leave a year. Contractors have 20 days of leave a year.");
    await chat.ingest("hello", "Hello is what the thanks page says. Thank you all.");
  });
  afterEach(() => chat.close());

  it("is a sentence of the service's own, in its language, and no document", async () => {
    for (const [message, expected] of [
      ["hello", /^Hello\. Ask me/],
      ["Vielen Dank!", /^Gern geschehen/],
      ["Bonjour", /^Bonjour\. Posez/],
      ["gracias", /^De nada/],
      ["ありがとう", /^どういたしまして/],
    ] as const) {
      const { answer, citation_info, top_documents, finding } = await chat.answer({ message });
      expect(answer).toMatch(expected);
      expect([citation_info, top_documents]).toEqual([[], []]);
      expect(finding).toMatchObject({ state: "nothing" });
    }
  });

  it("says as well what could not be read of what came along", async () => {
    const { id, chat_file_type: type } = await chat.upload("scan.pdf", pdfOf([[], []]), "application/pdf");
    const { answer } = await chat.answer({ message: "help", file_descriptors: [{ id, type, name: "scan.pdf" }] });
    expect(answer).toMatch(/^Hello\. Ask me[^]*scan\.pdf/);
  });

  it("leaves the conversation what it was about", async () => {
    const { chat_session_id } = await chat.answer({ message: "How many days of leave does everybody have?" });
    await chat.answer({ message: "thanks!", chat_session_id });
    const { answer } = await chat.answer({ message: "and for contractors?", chat_session_id });
    expect(answer).toContain("20 days");
  });
});
