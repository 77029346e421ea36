/** Pages as they go along with a question: loaded with the first question to a page, with what weighs their passages. */
import { type ContextPage, pageContext, type PageSnapshot } from "@threadlore/documents";
import type { PagesRead } from "../ask/conversation-world.ts";
import type { NotRead, UnreadPage } from "../ask/turn.ts";

/** A page that was read, and the tab it is open in. */
export interface TabPage extends ContextPage, Pick<PageSnapshot, "unread" | "unreadFrames"> {
  readonly tabId: number | undefined;
}

/** What goes along of the pages that could be read. */
export function goingAlong(pages: readonly TabPage[], question: string, unread: readonly UnreadPage[]): PagesRead {
  const { text, leftOut, passages, addresses } = pageContext(pages, question);
  const asked = pages.map((page, index) => ({
    title: page.title,
    url: page.url,
    told: addresses[index],
    tabId: page.tabId,
    isSelection: page.extent === "selection",
    notRead: notReadOf(page),
    passages: passages[index] ?? [],
  }));
  return { context: text, pages: { asked, leftOut, unread } };
}

/** What a person sees on a page and could not be read. Of a selection all was. */
function notReadOf({ extent, unreadFrames, unread = {}, cut }: TabPage): NotRead[] {
  if (extent === "selection") return [];
  const found = { frames: unreadFrames, ...unread, end: cut ? 1 : 0 };
  return (Object.keys(found) as NotRead[]).filter((part) => (found[part] ?? 0) > 0);
}
