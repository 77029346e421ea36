import type { Answer, Links } from "@threadlore/ask";
import { sourcesToHtml, toHtml } from "@threadlore/ask/html";

/** Puts an answer with its sources on the clipboard, as markdown and as rich text. False: the browser refused. */
export async function copyAnswer(answer: Answer, links: Links): Promise<boolean> {
  const html = `${toHtml(answer.blocks, links)}\n${sourcesToHtml(answer.citations, links)}`;
  const blob = (text: string, type: string) => new Blob([text], { type });
  const parts = { "text/plain": blob(asMarkdown(answer, links), "text/plain"), "text/html": blob(html, "text/html") };
  try {
    await navigator.clipboard.write([new ClipboardItem(parts)]);
    return true;
  } catch {
    return false;
  }
}

/** The text as it came, with the numbers a reader sees and the documents behind them. */
function asMarkdown({ text, citations }: Pick<Answer, "text" | "citations">, links: Links): string {
  const reader = new Map(citations.flatMap(({ number, marks }) => marks.map((mark) => [mark, number] as const)));
  const numbered = text.replace(
    /\[\[(\d{1,6})\]\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\))?/g,
    (whole, mark: string) => {
      const number = reader.get(Number(mark));
      return number === undefined ? whole : `[${number}]`;
    },
  );
  if (citations.length === 0) return numbered;
  const list = citations.map(({ number, source }) => {
    const href = source.link === undefined ? undefined : links.href(source.link);
    return `[${number}] ${source.title}${href === undefined ? "" : ` <${href}>`}`;
  });
  return `${numbered.trimEnd()}\n\n${list.join("\n")}\n`;
}
