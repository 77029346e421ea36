/** Pages as they go along with a question: loaded with the first question to a page, with what weighs their passages. */
import { pageContext, type PageSnapshot } from "@threadlore/documents";
import type { PagesRead } from "../ask/conversation-world.ts";
import type { UnreadPage } from "../ask/turn.ts";

/** What goes along of the pages that could be read. */
export function goingAlong(pages: readonly PageSnapshot[], question: string, unread: readonly UnreadPage[]): PagesRead {
  const { text, leftOut, passages } = pageContext(pages, question);
  const asked = pages.map(({ title, url, extent, unreadFrames }, index) => ({
    title,
    url,
    isSelection: extent === "selection",
    unreadFrames: extent === "selection" ? 0 : unreadFrames,
    passages: passages[index] ?? [],
  }));
  return { context: text, pages: { asked, leftOut, unread } };
}
