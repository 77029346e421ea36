import { type Block, type ListItem, plainText, visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import type { Row } from "./link-users.ts";
import { fixed, WrittenLine } from "./written-inlines.tsx";
import { type Ink, type Written, WrittenList } from "./written-list.ts";
import { WrittenText } from "./written-text.ts";

/** An element for a part of an answer. */
export function writeBlock(block: Block, ink: Ink): Written<Block> {
  switch (block.type) {
    case "paragraph":
      return writeLine("p", block, ink);
    case "heading":
      return writeHeading(block, ink);
    case "code":
      return writeCode(block);
    case "quote":
      return writeQuote(block, ink);
    case "list":
      return writeList(block, ink);
    case "table":
      return writeTable(block, ink);
    case "divider":
      return fixed(document.createElement("hr"));
  }
}

type Line = Extract<Block, { type: "paragraph" | "heading" }>;

/** @param tag `span` for a paragraph of a tight list */
function writeLine(tag: "p" | "span" | "h3", line: Line, ink: Ink): Written<Block> & { readonly element: HTMLElement } {
  const element = document.createElement(tag);
  if (tag !== "span") element.dir = "auto";
  const content = new WrittenLine(element);
  let { children } = line;
  const near = () => plainText(children);
  content.write(children, { links: ink.links, near });
  return {
    ...fixed(element, content),
    element,
    update(next, { links }) {
      if (next.type !== line.type) return false;
      if (next.type === "heading" && line.type === "heading" && next.level !== line.level) return false;
      ({ children } = next);
      content.write(children, { links, near });
      return true;
    },
  };
}

/**
 * Models begin at whatever level they like and skip some. All are one level below the answer's own heading, so that
 * no level is missing above any of them; how large they look says the rest.
 */
function writeHeading(block: Extract<Block, { type: "heading" }>, ink: Ink): Written<Block> {
  const written = writeLine("h3", block, ink);
  written.element.className = `level-${Math.min(block.level, 4)}`;
  return written;
}

function writeCode(block: Extract<Block, { type: "code" }>): Written<Block> {
  const element = boxOf("code");
  if (block.language !== undefined) {
    const language = document.createElement("span");
    language.className = "code-language";
    language.textContent = visibleText(block.language).slice(0, 30);
    element.append(language);
  }
  const pre = document.createElement("pre");
  makeScrollable(pre, i18n.t("panel.block.code"));
  pre.dir = "ltr";
  const code = document.createElement("code");
  const text = new WrittenText(block);
  code.append(...text.nodes);
  pre.append(code);
  element.append(pre);
  return {
    ...fixed(element),
    update(next) {
      if (next.type !== "code" || next.language !== block.language) return false;
      text.update(next);
      return true;
    },
  };
}

function writeQuote(block: Extract<Block, { type: "quote" }>, ink: Ink): Written<Block> {
  const element = document.createElement("blockquote");
  const content = new WrittenList<Block>(element, writeBlock);
  content.write(block.children, ink);
  return {
    ...fixed(element, content),
    update(next, nextInk) {
      if (next.type !== "quote") return false;
      content.write(next.children, nextInk);
      return true;
    },
  };
}

function writeList(list: Extract<Block, { type: "list" }>, ink: Ink): Written<Block> {
  const element = document.createElement(list.ordered ? "ol" : "ul");
  if (element instanceof HTMLOListElement && list.start !== 1) element.start = list.start;
  const content = new WrittenList<ListItem>(element, (entry, itemInk) => writeItem(entry, list.tight, itemInk));
  content.write(list.children, ink);
  return {
    ...fixed(element, content),
    update(next, nextInk) {
      const same = next.type === "list" && next.ordered === list.ordered && next.start === list.start;
      if (!same || next.tight !== list.tight) return false;
      content.write(next.children, nextInk);
      return true;
    },
  };
}

function writeItem(entry: ListItem, tight: boolean, ink: Ink): Written<ListItem> {
  const element = document.createElement("li");
  element.dir = "auto";
  const { checked } = entry;
  if (checked !== undefined) {
    element.className = "task";
    const box = document.createElement("span");
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", i18n.t(checked ? "panel.block.done" : "panel.block.open"));
    box.textContent = checked ? "☑ " : "☐ ";
    element.append(box);
  }
  const content = new WrittenList<Block>(element, (child, childInk) =>
    tight && child.type === "paragraph" ? writeLine("span", child, childInk) : writeBlock(child, childInk),
  );
  content.write(entry.children, ink);
  return {
    ...fixed(element, content),
    update(next, nextInk) {
      if (next.checked !== checked) return false;
      content.write(next.children, nextInk);
      return true;
    },
  };
}

function writeTable(table: Extract<Block, { type: "table" }>, ink: Ink): Written<Block> {
  const align = (column: number) => `align-${table.align[column] ?? "left"}`;
  const element = boxOf("table");
  makeScrollable(element, i18n.t("panel.block.table"));
  const grid = document.createElement("table");
  const [head, body] = [grid.createTHead(), grid.createTBody()];
  element.append(grid);
  const header = new WrittenList<Row>(head, (row, rowInk) => writeRow(row, "th", align, rowInk));
  const rows = new WrittenList<Row>(body, (row, rowInk) => writeRow(row, "td", align, rowInk));
  header.write([table.header], ink);
  rows.write(table.rows, ink);
  const all = {
    leave() {
      header.leave();
      rows.leave();
    },
  };
  return {
    ...fixed(element, all),
    update(next, nextInk) {
      if (next.type !== "table" || next.align !== table.align) return false;
      header.write([next.header], nextInk);
      rows.write(next.rows, nextInk);
      return true;
    },
  };
}

function writeRow(row: Row, tag: "th" | "td", align: (column: number) => string, ink: Ink): Written<Row> {
  const element = document.createElement("tr");
  const cells = row.map((cell, column) => {
    const place = document.createElement(tag);
    place.className = align(column);
    if (tag === "th") place.setAttribute("scope", "col");
    else place.dir = "auto";
    const content = new WrittenLine(place);
    content.write(cell, { links: ink.links, near: () => plainText(cell) });
    element.append(place);
    return content;
  });
  return fixed(element, { leave: () => cells.forEach((content) => content.leave()) });
}

function boxOf(name: string): HTMLElement {
  const element = document.createElement("div");
  element.className = name;
  return element;
}

/** Focusable, so that what is too wide can be scrolled by keyboard. */
function makeScrollable(element: HTMLElement, label: string): void {
  element.tabIndex = 0;
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", label);
}
