import { ASKED_AS, type Section } from "@threadlore/client/models";
import type { StoredDocument } from "../store/documents.ts";
import { isKept } from "./kept-store.ts";

/** The text of a kept answer. */
export interface KeptText {
  /** What is quoted: the sections without the questions they answer. */
  readonly sections: readonly Section[];
  /** The questions, as they were asked. */
  readonly asked: readonly string[];
}

const HEADING = new RegExp(String.raw`(?:^|\n)[ \t]*(?:#{1,6}[ \t]+)?\**${ASKED_AS}\**[ \t]*:?[ \t]*(?=\n|$)`, "u");
const MARK = /^\s*(?:[-*+•]\s+)?/u;

/** Parts a kept answer from the questions below "Asked as": they are what it is found by, and no answer to anything. */
export function keptText(sections: readonly Section[]): KeptText {
  const asked: string[] = [];
  const answer = sections.flatMap((section) => {
    const { text } = section;
    const heading = text == null ? null : HEADING.exec(text);
    if (text == null || heading === null) return section;
    const lines = text.slice(heading.index + heading[0].length).split("\n");
    asked.push(...lines.map((line) => line.replace(MARK, "").trim()).filter((line) => line !== ""));
    const before = text.slice(0, heading.index).trim();
    return before === "" ? [] : { ...section, text: before };
  });
  return { sections: answer, asked };
}

/** The text of a document that may be told: of a kept answer without the questions it is found by. */
export function tellableText({ metadata, sections }: Pick<StoredDocument, "metadata" | "sections">): string {
  const told = isKept(metadata) ? keptText(sections).sections : sections;
  return told.map(({ text }) => text ?? "").join("\n\n");
}

/** Characters of a kept answer that are compared. */
const MAX_COMPARED = 1_500;

/** What a kept answer says, as it is compared. */
export function keptWords({ sections }: Pick<StoredDocument, "sections">): string {
  const texts = keptText(sections).sections.map(({ text }) => text ?? "");
  return texts.join("\n").slice(0, MAX_COMPARED);
}

/** The same with what it is asked by. */
export function comparedBy(kept: Pick<StoredDocument, "title" | "sections">): string {
  return `${kept.title}\n${keptWords(kept)}`;
}
