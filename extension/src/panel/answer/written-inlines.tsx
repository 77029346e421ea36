import { addressNote, type CitationMark, type Inline, plainText, visibleText } from "@threadlore/ask";
import { render } from "preact";
import { i18n } from "#i18n";
import { type Together, keptTogether } from "./together.ts";
import { CitationChip } from "./citation-chip.tsx";
import { type Ink, type Written, WrittenList } from "./written-list.ts";
import { WrittenText } from "./written-text.ts";

/** The inline nodes of one element. */
export class WrittenLine {
  private readonly list: WrittenList<Inline | Together>;

  constructor(element: Element) {
    this.list = new WrittenList(element, writeInline);
  }

  write(nodes: readonly Inline[], ink: Ink): void {
    this.list.write(keptTogether(nodes), ink);
  }

  leave(): void {
    this.list.leave();
  }
}

/** An element for what a line of text is made of. Nothing here loads anything, and an address is a link only by `links`. */
function writeInline(node: Inline | Together, ink: Ink): Written<Inline | Together> {
  switch (node.type) {
    case "text": {
      const text = new WrittenText(node);
      return {
        get nodes() {
          return text.nodes;
        },
        update(next) {
          if (next.type !== "text") return false;
          text.update(next);
          return true;
        },
        leave() {},
      };
    }
    case "emphasis":
      return writeAround("em", node, ink);
    case "strong":
      return writeAround("strong", node, ink);
    case "strike":
      return writeAround("del", node, ink);
    case "codespan": {
      const element = document.createElement("code");
      element.textContent = visibleText(node.text);
      return { ...fixed(element), update: (next) => next.type === "codespan" && next.text === node.text };
    }
    case "break":
      return { ...fixed(document.createElement("br")), update: (next) => next.type === "break" };
    case "image":
      return fixed(
        new Text(visibleText(`[${i18n.t("panel.block.image")} ${node.alt}${addressNote(node.url, node.alt)}]`)),
      );
    case "link":
      return writeLink(node, ink);
    case "citation":
      return writeCitation(node, ink);
    case "together":
      return writeTogether(node, ink);
  }
}

/** What does not change any more: another version is another element. */
export function fixed(node: ChildNode, content?: { leave(): void }): Written<unknown> {
  return {
    nodes: [node],
    update: () => false,
    leave: () => content?.leave(),
  };
}

type Around = Extract<Inline, { type: "emphasis" | "strong" | "strike" }>;

function writeAround(tag: "em" | "strong" | "del", { type, children }: Around, ink: Ink): Written<Inline | Together> {
  const element = document.createElement(tag);
  const content = new WrittenLine(element);
  content.write(children, ink);
  return {
    ...fixed(element, content),
    update(next, nextInk) {
      if (next.type !== type) return false;
      content.write(next.children, nextInk);
      return true;
    },
  };
}

function writeLink(link: Extract<Inline, { type: "link" }>, ink: Ink): Written<Inline | Together> {
  const { url, children } = link;
  const href = ink.links.href(url);
  const element = document.createElement(href === undefined ? "span" : "a");
  const content = new WrittenLine(element);
  content.write(children, ink);
  if (element instanceof HTMLAnchorElement && href !== undefined) {
    element.href = href;
    element.target = "_blank";
    element.rel = "noopener noreferrer";
  } else element.append(visibleText(addressNote(url, plainText(children))));
  return {
    ...fixed(element, content),
    update(next, nextInk) {
      // A link is never shown before it is whole, so its text does not change either.
      if (next.type !== "link" || next.url !== url || nextInk.links.href(url) !== href) return false;
      if (plainText(next.children) !== plainText(children)) return false;
      content.write(next.children, nextInk);
      return true;
    },
  };
}

function writeCitation(node: CitationMark, ink: Ink): Written<Inline | Together> {
  const element = document.createElement("span");
  const write = (mark: CitationMark, { links, near }: Ink) => {
    const cited = links.cited(mark);
    // A card that is open stays open: the chips of before are the chips of now.
    render(
      cited.length === 0 ? (
        <span class="unknown-mark" title={i18n.t("panel.citation.unknown")}>
          {mark.text}
        </span>
      ) : (
        cited.map((one) => <CitationChip key={one.number} mark={one} links={links} near={near} />)
      ),
      element,
    );
  };
  write(node, ink);
  return {
    nodes: [element],
    update(next, nextInk) {
      if (next.type !== "citation") return false;
      write(next, nextInk);
      return true;
    },
    leave: () => render(null, element),
  };
}

function writeTogether(node: Together, ink: Ink): Written<Inline | Together> {
  const element = document.createElement("span");
  element.className = "together";
  const citation = writeCitation(node.mark, ink);
  const stop = new Text(visibleText(node.stop));
  element.append(...citation.nodes, stop);
  return {
    ...fixed(element, citation),
    update(next, nextInk) {
      if (next.type !== "together" || !citation.update(next.mark, nextInk)) return false;
      stop.data = visibleText(next.stop);
      return true;
    },
  };
}
