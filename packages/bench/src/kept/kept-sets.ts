import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askedAsText } from "@threadlore/client/models";
import { repositoryRoot } from "@threadlore/testkit";

/** A kept answer, its questions, and what is asked later in other words. */
export interface ReplySet {
  readonly id: string;
  readonly answer: string;
  readonly gold: readonly string[];
  readonly asked: readonly string[];
  readonly later: readonly string[];
}

/** A kept answer and a newer document, which says otherwise or only looks so. */
export interface KeptPair {
  readonly id: string;
  readonly question: string;
  readonly kept: string;
  readonly newer: { readonly title: string; readonly text: string };
  readonly contradicts: boolean;
  readonly kind: string;
}

const read = <Found>(path: string): Found => JSON.parse(readFileSync(join(repositoryRoot, path), "utf8")) as Found;
const FIXTURES = "packages/service/src/kept/fixtures";

/** Answers whose questions were looked at, or those nothing was tuned on. */
export function replySets(isKeptBack: boolean): readonly ReplySet[] {
  const [answers, questions] = isKeptBack
    ? ([`${FIXTURES}/replies-kept-back.json`, "packages/gaps/src/fixtures/kept-back.json"] as const)
    : ([`${FIXTURES}/replies.json`, "packages/gaps/src/fixtures/asked.json"] as const);
  const asked = new Map(
    read<{ gaps: Pick<ReplySet, "id" | "asked" | "later">[] }>(questions).gaps.map((one) => [one.id, one]),
  );
  return read<Pick<ReplySet, "id" | "answer" | "gold">[]>(answers).flatMap((one) => {
    const own = asked.get(one.id);
    return own === undefined ? [] : { ...one, asked: own.asked, later: own.later };
  });
}

/**
 * How the newer documents of pairs are written: in quite other words than what is kept, as notices, lists and minutes, or as
 * companies write, by somebody who saw nothing of how they are compared: all of these are kept back.
 */
export const WRITTEN = {
  "other words": "contradictions",
  notices: "contradictions-more",
  companies: "contradictions-companies",
} as const;

/** Pairs that were looked at, or those nothing was tuned on. */
export function keptPairs(written: keyof typeof WRITTEN, isKeptBack: boolean): readonly KeptPair[] {
  return read(`${FIXTURES}/${WRITTEN[written]}${isKeptBack ? "-kept-back" : ""}.json`);
}

/** A kept answer as a program of the company sends it. */
export function keptDocument(id: string, questions: readonly string[], answer: string): object {
  const [question = "", ...others] = questions;
  const link = `https://chat.example.com/${encodeURIComponent(id)}`;
  return {
    id,
    semantic_identifier: question,
    sections: [{ text: answer, link }, ...(others.length === 0 ? [] : [{ text: askedAsText(others), link }])],
    source: "slack",
    metadata: { kept: "answer", question, owner: "Nora Quist", owner_ref: "T1:U1", channel: "#help" },
    doc_updated_at: "2026-03-02T09:00:00Z",
  };
}
