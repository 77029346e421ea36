import { UnsupportedError } from "@threadlore/client";
import { expect, it } from "vitest";
import { type Knowledge, knowledgeOf } from "./knowledge.ts";
import { readDocument } from "./reading.ts";

/** A server that gives no document whole and finds every one by any words; `sent`: what it was searched for. */
function withoutTexts() {
  const sent: string[] = [];
  const { deployment, ...rest } = knowledgeOf({ baseUrl: "http://127.0.0.1:9", apiKey: "k" });
  const knowledge: Knowledge = {
    ...rest,
    deployment: {
      ...deployment,
      documentText: () => Promise.reject(new UnsupportedError("There is none.")),
      search: ({ query }) => {
        sent.push(query);
        return Promise.resolve(DOCUMENTS.map((document_id) => ({ document_id, title: "Leave", content: "28 days." })));
      },
    },
  };
  return { knowledge, sent };
}

const DOCUMENTS = ["https://wiki.example.com/hr/annualLeave.html", "3f9a0c1d-77e2-4b1f-9d3e-5a6b7c8d9e0f", "8412"];

it.each([
  ["https://wiki.example.com/hr/annualLeave.html", undefined, "annual Leave"],
  ["https://wiki.example.com/hr/annualLeave.html", "parents", "parents"],
  ["3f9a0c1d-77e2-4b1f-9d3e-5a6b7c8d9e0f", undefined, "3f9a0c1d-77e2-4b1f-9d3e-5a6b7c8d9e0f"],
  ["8412", undefined, "8412"],
])("is looked for by what it is about, by its words, else by its id: %s, %s", async (document, about, query) => {
  const { knowledge, sent } = withoutTexts();
  const read = await readDocument(knowledge, { document, about }, AbortSignal.timeout(5_000));
  expect([read.as, read.text, sent]).toEqual(["passages", "28 days.", [query]]);
});
