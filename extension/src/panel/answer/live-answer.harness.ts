// The panel's own way from pieces of an answer to elements, for a page of its own.
import { createMarkdown } from "@threadlore/ask";
import { h, render } from "preact";
import { Blocks } from "./blocks.tsx";
import type { PanelLinks } from "./links.ts";

/** An answer being written into an element. */
export interface LiveAnswer {
  /** Takes a piece of text; nothing is shown of it yet. */
  take(piece: string): void;
  /** Shows what has come, as one frame of the panel does. */
  show(): void;
  /** Nothing more will come: shows the whole. */
  end(): void;
  /** Takes it off the page. */
  remove(): void;
}

/** What an answer without sources gets. */
const NONE: PanelLinks = { href: () => undefined, cited: () => [], open: () => undefined, passages: () => [] };
/** Every address may be opened: a link costs more than its text. */
const EVERY: PanelLinks = { ...NONE, href: (url) => URL.parse(url)?.href };

/** @param withLinks whether addresses become links, as those of an answer's sources do */
export function writeLive(place: Element, withLinks: boolean): LiveAnswer {
  const markdown = createMarkdown();
  const links = withLinks ? EVERY : NONE;
  let unread = "";
  const show = (blocks = markdown.push(unread)) => {
    unread = "";
    render(h(Blocks, { blocks, links }), place);
  };
  return {
    take(piece) {
      unread += piece;
    },
    show: () => show(),
    end() {
      markdown.push(unread);
      show(markdown.end());
    },
    remove: () => render(null, place),
  };
}
