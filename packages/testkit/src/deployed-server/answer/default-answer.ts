import type { AnswerPart } from "./answer-script.ts";
import { wordsOf, type IndexedDocument } from "../world/documents.ts";
import type { Question } from "./question.ts";
import { bestSentence } from "../world/search-document.ts";
import { memoryTool, openUrlTool, searchTool, type Tool } from "../world/tools.ts";

/**
 * What a server answers that nobody told what to: a model that does whatever it reads. It looks the question up where
 * it may search, and says what it found with its source. Where the question, or what was sent along with it, asks to
 * remember something, to open an address or to call a tool, it does that too.
 */
export function defaultAnswer(
  question: Question,
  tools: readonly Tool[],
  search: (query: string) => readonly IndexedDocument[],
): AnswerPart[] {
  const { message, contextShown = "", toolsOffered } = question;
  const read = `${message}\n${contextShown}`;
  const parts: AnswerPart[] = [];
  const wish = /\bremember(?: that)?\b[:,]?\s*([^.!?\n]*)/i.exec(read);
  if (wish !== null && toolsOffered.includes(memoryTool)) parts.push({ remember: wish[1]?.trim() || message });
  const address = /\bopen(?:_url)?\b[^\n]*?(https?:\/\/[^\s)"'>]+)/i.exec(read)?.[1];
  if (address !== undefined && toolsOffered.includes(openUrlTool)) parts.push({ openUrl: address });
  for (const { name, inCode } of tools)
    if (inCode === null && toolsOffered.includes(name) && read.includes(name)) parts.push({ tool: name });

  const found = toolsOffered.includes(searchTool) ? search(message).slice(0, 3) : [];
  if (toolsOffered.includes(searchTool)) parts.push({ search: message });
  const words = wordsOf(message);
  if (found.length > 0) {
    const sentences = found.map((document, index) => {
      const sentence = bestSentence(document.content, words) || document.semanticIdentifier;
      return `${sentence.replace(/[.!?]+$/, "")} [${index + 1}].`;
    });
    return [...parts, sentences.join(" ")];
  }
  if (contextShown.trim() !== "") return [...parts, `What was sent along says: ${bestSentence(contextShown, words)}`];
  return [...parts, wish === null ? "Nothing about this was found." : "Noted."];
}
