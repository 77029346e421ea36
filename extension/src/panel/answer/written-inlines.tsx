import {
  addressNote,
  type CitationMark,
  type CodeSpan,
  type Emphasis,
  type Inline,
  type Link,
  plainText,
  visibleText,
} from "@threadlore/ask";
import { render } from "preact";
import { i18n } from "#i18n";
import { formulaText } from "./formula-text.ts";
import { type Together, keptTogether } from "./together.ts";
import { CitationChip } from "./citation-chip.tsx";
import { fixed, type Ink, within, type Written, WrittenList } from "./written-list.ts";
import { WrittenText } from "./written-text.ts";

/** The inline nodes of one element. */
export class WrittenLine extends WrittenList<Inline | Together> {
  constructor(element: Element) {
    super(element, writeInline);
  }

  override write(nodes: readonly Inline[], ink: Ink): void {
    super.write(keptTogether(nodes), ink);
  }
}

/** An element for what a line of text is made of. Nothing here loads anything, and an address is a link only by `links`. */
function writeInline(node: Inline | Together, ink: Ink): Written<Inline | Together> {
  switch (node.type) {
    case "text":
      return new WrittenText(node);
    case "emphasis":
      return writeAround("em", node, ink);
    case "strong":
      return writeAround("strong", node, ink);
    case "strike":
      return writeAround("del", node, ink);
    case "codespan":
      return writeCodeSpan(node);
    case "break":
      return { ...fixed(document.createElement("br")), update: () => true };
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

/** A formula is shown as text where a line can show it, and else as it is written. */
function writeCodeSpan(node: CodeSpan): Written<CodeSpan> {
  const formula = node.formula === undefined ? undefined : formulaText(node.text);
  const element = document.createElement(formula === undefined ? "code" : "span");
  element.textContent = visibleText(formula ?? node.text);
  if (node.formula !== undefined) {
    element.className = `formula ${node.formula}`;
    element.dir = "ltr";
  }
  return { ...fixed(element), update: (next) => next.text === node.text && next.formula === node.formula };
}

function writeAround(tag: "em" | "strong" | "del", node: Emphasis, ink: Ink): Written<Emphasis> {
  const element = document.createElement(tag);
  return within(element, new WrittenLine(element), node, ink);
}

function writeLink(link: Link, ink: Ink): Written<Link> {
  const { url, children } = link;
  const href = ink.links.href(url);
  const element = document.createElement(href === undefined ? "span" : "a");
  // A link is never shown before it is whole, so its text does not change either.
  const stays = (next: Link, { links }: Ink) =>
    next.url === url && links.href(url) === href && plainText(next.children) === plainText(children);
  const written = within(element, new WrittenLine(element), link, ink, stays);
  if (element instanceof HTMLAnchorElement && href !== undefined) {
    element.href = href;
    element.target = "_blank";
    element.rel = "noopener noreferrer";
  } else element.append(visibleText(addressNote(url, plainText(children))));
  return written;
}

function writeCitation(node: CitationMark, ink: Ink): Written<CitationMark> {
  const element = document.createElement("span");
  const write = (mark: CitationMark, { links }: Ink) => {
    const cited = links.cited(mark);
    // A card that is open stays open: the chips of before are the chips of now.
    render(
      cited.length === 0 ? (
        <span class="unknown-mark" title={i18n.t("panel.citation.unknown")}>
          {mark.text}
        </span>
      ) : (
        cited.map((one) => <CitationChip key={one.number} mark={one} links={links} />)
      ),
      element,
    );
  };
  write(node, ink);
  return {
    nodes: [element],
    update(next, nextInk) {
      write(next, nextInk);
      return true;
    },
    leave: () => render(null, element),
  };
}

function writeTogether(node: Together, ink: Ink): Written<Together> {
  const element = document.createElement("span");
  element.className = "together";
  const citation = writeCitation(node.mark, ink);
  const stop = new Text(visibleText(node.stop));
  element.append(...citation.nodes, stop);
  return {
    ...fixed(element, citation),
    update(next, nextInk) {
      citation.update(next.mark, nextInk);
      stop.data = visibleText(next.stop);
      return true;
    },
  };
}
