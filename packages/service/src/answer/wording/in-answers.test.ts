import { DatabaseSync } from "node:sqlite";
import { pdfOf } from "@threadlore/testkit/files";
import { type ModelScript, type ScriptedModel, startScriptedModel } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type ChatSubject, openChat } from "../../chat.harness.ts";

let chat: ChatSubject;
let model: ScriptedModel | undefined;

afterEach(async () => {
  await chat.close();
  await model?.close();
  model = undefined;
});

async function open(script?: ModelScript) {
  model = script === undefined ? undefined : await startScriptedModel(script);
  chat = await openChat(model === undefined ? {} : { model: { baseUrl: model.url, name: "scripted" } });
  await chat.ingest("urlaub", "Alle bekommen 27 Tage Urlaub im Jahr.");
}

const ASKED = {
  de: "Wie viele Tage Urlaub bekommen alle im Jahr?",
  fr: "Combien de jours de congés avons-nous par an ?",
  ja: "年次有給休暇は何日ですか？",
};

describe("what went wrong is said in the question's language", () => {
  it("of a file that could not be read", async () => {
    await open();
    const { id, chat_file_type: type } = await chat.upload("plan.pdf", pdfOf([[], []]), "application/pdf");
    const answerTo = async (message: string) =>
      String((await chat.answer({ message, file_descriptors: [{ id, type, name: "plan.pdf" }] }))["answer"]);
    expect(await answerTo(ASKED.de)).toContain("Die Datei enthält Bilder von Seiten und keinen Text (ein Scan).");
    expect(await answerTo(ASKED.fr)).toContain("Il contient des images de pages et aucun texte");
    expect(await answerTo(ASKED.ja)).toContain("ページの画像だけで、テキストがありません");
  });

  it("of a model that failed", async () => {
    await open(() => ({ status: 401 }));
    expect(String((await chat.answer({ message: ASKED.de }))["answer"])).toContain(
      "Das Modell konnte nicht antworten: Sein Server wies den Schlüssel zurück (Status 401).",
    );
    expect(String((await chat.answer({ message: ASKED.ja }))["answer"])).toContain(
      "サーバーがキーを拒否しました（ステータス 401）",
    );
  });

  it("of a model that is not there", async () => {
    await open((request) => (request.model === "nope" ? { status: 404 } : { text: "27 Tage [1]." }));
    const { answer } = await chat.answer({ message: ASKED.de, llm_override: { model_version: "nope" } });
    expect(answer).toContain("Der Modellserver bietet nope nicht an");
  });

  it("of a run that failed", async () => {
    chat = await openChat({ logLevel: "silent" });
    const index = new DatabaseSync(`${chat.databasePath}.search.sqlite`);
    index.exec("DROP TABLE terms");
    index.close();
    expect((await chat.ask({ message: ASKED.de })).text).toContain(
      "Beim Antworten ist im Dienst ein Fehler aufgetreten",
    );
    expect((await chat.answer({ message: ASKED.fr }))["error_msg"]).toContain("Une erreur s’est produite");
  });
});
