import { ask, type Answer, emptyAnswer } from "@threadlore/ask";
import { processTerminal, type Serving, startServing } from "@threadlore/cli";
import { createClient } from "@threadlore/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handbookFiles, ingestHandbook, readQuestions } from "./handbook.ts";
import { temporaryFolder } from "@threadlore/testkit";

const questions = await readQuestions();
let serving: Serving;
let refused = 0;
/** Name of a file -> id of its document. */
const documentIds = new Map<string, string>();

beforeAll(async () => {
  serving = await startServing({ folder: temporaryFolder(), port: 0 });
  const service = { ...serving, apiKey: serving.apiKey ?? "" };
  const report = await ingestHandbook(processTerminal(), service, () => {});
  refused = report.refused.length;
  for (const { name, id } of report.fates) documentIds.set(name, id ?? "");
  await serving.listening.service.drain();
});

afterAll(() => serving.close());

async function answerTo(question: string): Promise<Answer> {
  let answer = emptyAnswer();
  const client = createClient({ baseUrl: serving.url, apiKey: serving.apiKey ?? "" });
  for await (const snapshot of ask(client, { message: question })) answer = snapshot;
  return answer;
}

describe("the handbook", () => {
  it("has enough documents and questions to mean something", async () => {
    expect(refused).toBe(0);
    expect((await handbookFiles()).length).toBeGreaterThanOrEqual(12);
    expect(questions.answered.length).toBeGreaterThanOrEqual(10);
  });

  it.each(questions.answered)("answers: $question", async ({ question, fact, document }) => {
    const answer = await answerTo(question);
    expect(answer.status).toBe("done");
    expect(answer.text.toLowerCase()).toContain(fact.toLowerCase());
    expect(answer.citations.map((citation) => citation.source.documentId)).toContain(documentIds.get(document));
  });

  it.each(questions.unanswerable)("says honestly that it found nothing: %s", async (question) => {
    const answer = await answerTo(question);
    expect(answer.status).toBe("done");
    expect(answer.citations).toEqual([]);
    expect(answer.text).toMatch(/nothing|not found|no (document|passage|answer)/i);
  });

  it("answers the question of the demonstration with two facts of two documents", async () => {
    const answer = await answerTo(questions.shown);
    expect(answer.text).toContain("31 March");
    expect(answer.text).toContain("paid out");
    const cited = answer.citations.map((citation) => citation.source.documentId);
    expect(cited).toEqual(
      expect.arrayContaining([documentIds.get("leave-and-holidays.md"), documentIds.get("leaving.md")]),
    );
  });
});
