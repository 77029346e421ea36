import { plainDocument } from "./seen/without-names.ts";

/** What a person has marked on a page, in it and in frames of the same origin. Undefined: nothing. */
export function markedIn(page: Document): Range[] | undefined {
  const ranges = [...rangesOf(page)];
  for (const frame of page.querySelectorAll("iframe")) {
    const inner = innerDocument(frame);
    if (inner !== null) ranges.push(...rangesOf(inner));
  }
  return ranges.length === 0 ? undefined : ranges;
}

function innerDocument(frame: HTMLIFrameElement): Document | null {
  try {
    return frame.contentDocument === null ? null : plainDocument(frame.contentDocument);
  } catch {
    return null;
  }
}

function* rangesOf(page: Document): Generator<Range> {
  const selection = page.getSelection();
  if (selection === null || selection.isCollapsed || selection.toString().trim() === "") return;
  for (let at = 0; at < selection.rangeCount; at++) yield selection.getRangeAt(at);
}
