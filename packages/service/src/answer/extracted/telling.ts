/** A decision -> what an answer says, in words and for programs. */
import type { Finding } from "@threadlore/client/models";
import { beginningOf, languageOf } from "@threadlore/language";
import { stem, termsOf } from "@threadlore/language/stems";
import type { Wording } from "../wording/wording.ts";
import type { Source } from "../source.ts";
import type { AskedQuestion } from "./asked.ts";
import type { Quote } from "./choosing.ts";
import type { Closest } from "./closest.ts";
import type { Conflict, Statement } from "./conflict/conflict.ts";
import type { Decision } from "./decide.ts";
import { quotable } from "./quoting.ts";
import type { Shortcoming } from "./shortcoming.ts";

/** What is told of a decision. */
export interface Told {
  /** Sentences of the service, and quotes; in order. */
  readonly paragraphs: readonly (string | readonly Quote[])[];
  /** To list with the answer, cited or not. */
  readonly sources: readonly Source[];
  readonly finding: Finding;
}

/**
 * Tells a decision.
 * @param nothing what is said where nothing comes close
 */
export function tell(question: AskedQuestion, decision: Decision, wording: Wording, nothing: string): Told {
  const corrected = correctionsIn(question, decision);
  const finding = { state: decision.state, closest: [], conflict: [], corrected };
  const correction = corrected.length === 0 ? [] : [wording.corrected(corrected)];
  switch (decision.state) {
    case "quote": {
      const { quotes, conflict, about } = decision;
      return {
        paragraphs: [...correction, quotes, ...differing(conflict, wording)],
        sources: about,
        finding: { ...finding, conflict: conflict?.statements.map(statementOf) ?? [] },
      };
    }
    case "closest": {
      const { closest, conflict, why } = decision;
      const reason = reasonOf(why, wording);
      const lead = wording.joined([reason, wording.closest.lead]);
      return {
        paragraphs: [...correction, lead, listed(closest), ...differing(conflict, wording)],
        sources: closest.map(({ source }) => source),
        finding: {
          ...finding,
          reason,
          closest: closest.map(closestDocument),
          conflict: conflict?.statements.map(statementOf) ?? [],
        },
      };
    }
    case "nothing":
      return { paragraphs: [...correction, nothing], sources: [], finding };
  }
}

/** Words that were taken for others, where what is shown says those: a reading that led nowhere explains nothing. */
function correctionsIn({ words, language }: AskedQuestion, decision: Decision): Finding["corrected"] {
  if (decision.state === "nothing") return [];
  const shown = decision.state === "quote" ? decision.quotes : decision.closest;
  const texts = shown.map((one) => `${one.source.title}\n${"text" in one ? one.text : one.sentence}`);
  const isSaid = (word: string) =>
    texts.some((text) => {
      const written = languageOf(text, language);
      return termsOf(text, written).includes(stem(word, written));
    });
  return words.flatMap(({ written, corrected }) =>
    corrected !== undefined && isSaid(corrected) ? [{ written, read: corrected }] : [],
  );
}

function differing(conflict: Conflict | undefined, wording: Wording): string[] {
  if (conflict === undefined) return [];
  const lines = conflict.statements.map(({ candidate, says }) => {
    const { source } = candidate.passage.evidence;
    return `- ${wording.differing.statement({ title: titled(source), date: source.document.updated_at, says: quotable(says) })}`;
  });
  return [`${wording.differing.lead}\n\n${lines.join("\n")}`];
}

function statementOf({ candidate, says }: Statement): Finding["conflict"][number] {
  const { documentId, title, link, document } = candidate.passage.evidence.source;
  return { document_id: documentId, title, link, updated_at: document.updated_at ?? null, says };
}

function closestDocument({ source, sentence }: Closest): Finding["closest"][number] {
  return { document_id: source.documentId, title: source.title, link: source.link, sentence };
}

function listed(closest: readonly Closest[]): string {
  return closest.map(({ source, sentence }) => `- **${titled(source)}**: ${quotable(sentence)}`).join("\n");
}

const MAX_TITLE = 120;

/** A title as it may stand between asterisks in a line. */
function titled({ title }: Source): string {
  const flat = quotable(title.replace(/\s+/g, " ").replaceAll("*", "")).trim();
  return flat.length <= MAX_TITLE ? flat : `${beginningOf(flat, MAX_TITLE - 1)}…`;
}

function reasonOf(why: Shortcoming, { closest }: Wording): string {
  switch (why.is) {
    case "unmentioned":
      return closest.unmentioned(why.words);
    case "year":
      return closest.noYear(why.years);
    case "missing":
      return closest.missing[why.kind];
    case "too little":
      return closest.tooLittle;
  }
}
