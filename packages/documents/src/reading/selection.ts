import { documentIn } from "./seen/without-names.ts";

/** What a person has marked on a page, in it and in frames of the same origin. Undefined: nothing. */
export function markedIn(page: Document): Range[] | undefined {
  const documents = [page, ...Array.from(page.querySelectorAll("iframe"), documentIn)];
  const ranges = documents.flatMap((document) => (document === undefined ? [] : [...rangesOf(document)]));
  return ranges.length === 0 ? undefined : ranges;
}

function* rangesOf(page: Document): Generator<Range> {
  const selection = page.getSelection();
  if (selection === null || selection.isCollapsed || selection.toString().trim() === "") return;
  for (let at = 0; at < selection.rangeCount; at++) yield selection.getRangeAt(at);
}
