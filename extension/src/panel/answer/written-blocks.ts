import {
  type Aside,
  type Block,
  type CodeBlock,
  type Heading,
  type List,
  type ListItem,
  type Paragraph,
  plainText,
  type Quote,
  type Table,
  visibleText,
} from "@threadlore/ask";
import { h, render } from "preact";
import { i18n } from "#i18n";
import { CodeHead } from "./code-head.tsx";
import type { Row } from "./link-users.ts";
import { WrittenLine } from "./written-inlines.tsx";
import { fixed, type Ink, within, type Written, WrittenList } from "./written-list.ts";
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
    case "aside":
      return writeAside(block, ink);
  }
}

/** @param tag `span` for a paragraph of a tight list */
function writeLine(tag: "p" | "span" | "h3", line: Paragraph | Heading, ink: Ink) {
  const element = document.createElement(tag);
  if (tag !== "span") element.dir = "auto";
  const content = new WrittenLine(element);
  content.write(line.children, ink);
  return {
    ...fixed(element, content),
    element,
    update(next: Paragraph | Heading, nextInk: Ink) {
      if (next.type === "heading" && line.type === "heading" && next.level !== line.level) return false;
      content.write(next.children, nextInk);
      return true;
    },
  };
}

/**
 * Models begin at whatever level they like and skip some. All are one level below the answer's own heading, so that
 * no level is missing above any of them; how large they look says the rest.
 */
function writeHeading(block: Heading, ink: Ink): Written<Heading> {
  const written = writeLine("h3", block, ink);
  written.element.className = `level-${Math.min(block.level, 4)}`;
  return written;
}

function writeCode(block: CodeBlock): Written<CodeBlock> {
  const text = new WrittenText(block);
  const code = make("code", {}, ...text.nodes);
  const pre = make("pre", { ...scrollable(i18n.t("panel.block.code")), dir: "ltr" }, code);
  const head = make("div", { className: "code-head" });
  let now = block;
  const language = visibleText(block.language ?? "").slice(0, 30);
  render(h(CodeHead, { language, code: () => now.text }), head);
  return {
    ...fixed(make("div", { className: "code" }, head, pre), { leave: () => render(null, head) }),
    update(next) {
      now = next;
      return next.language === block.language && text.update(next);
    },
  };
}

function writeQuote(block: Quote, ink: Ink): Written<Quote> {
  const element = document.createElement("blockquote");
  return within(element, new WrittenList<Block>(element, writeBlock), block, ink);
}

/** That sources differ must not be missed by somebody who only hears the answer. */
function writeAside(aside: Aside, ink: Ink): Written<Aside> {
  const { role } = aside;
  const element = make("div", { className: `aside ${role}`, ...(role === "conflict" ? { role: "note" } : {}) });
  const content = new WrittenList<Block>(element, writeBlock);
  return within(element, content, aside, ink, (next) => next.role === role);
}

function writeList(list: List, ink: Ink): Written<List> {
  const { ordered, start, tight } = list;
  const element = document.createElement(ordered ? "ol" : "ul");
  if (element instanceof HTMLOListElement && start !== 1) element.start = start;
  const content = new WrittenList<ListItem>(element, (entry, itemInk) => writeItem(entry, tight, itemInk));
  const stays = (next: List) => next.ordered === ordered && next.start === start && next.tight === tight;
  return within(element, content, list, ink, stays);
}

function writeItem(entry: ListItem, tight: boolean, ink: Ink): Written<ListItem> {
  const element = make("li", { dir: "auto" });
  const { checked } = entry;
  if (checked !== undefined) {
    element.className = "task";
    const ariaLabel = i18n.t(checked ? "panel.block.done" : "panel.block.open");
    element.append(make("span", { role: "img", ariaLabel, textContent: checked ? "☑ " : "☐ " }));
  }
  const content = new WrittenList<Block>(element, (child, childInk) =>
    tight && child.type === "paragraph" ? writeLine("span", child, childInk) : writeBlock(child, childInk),
  );
  return within(element, content, entry, ink, (next) => next.checked === checked);
}

function writeTable(table: Table, ink: Ink): Written<Table> {
  const align = (column: number) => `align-${table.align[column] ?? "left"}`;
  const grid = make("table");
  const [head, body] = [grid.createTHead(), grid.createTBody()];
  const element = make("div", { className: "table", ...scrollable(i18n.t("panel.block.table")) }, grid);
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
      if (next.align !== table.align) return false;
      header.write([next.header], nextInk);
      rows.write(next.rows, nextInk);
      return true;
    },
  };
}

/** Cells of no more characters stay in one line: a date or an amount in two is neither. */
const FIRM = 18;

function writeRow(row: Row, tag: "th" | "td", align: (column: number) => string, ink: Ink): Written<Row> {
  const element = document.createElement("tr");
  const cells = row.map((cell, column) => {
    const className = `${align(column)} ${plainText(cell).length > FIRM ? "flowing" : "firm"}`;
    const place = make(tag, { className, ...(tag === "th" ? { scope: "col" } : { dir: "auto" }) });
    const content = new WrittenLine(place);
    content.write(cell, ink);
    element.append(place);
    return content;
  });
  return fixed(element, { leave: () => cells.forEach((content) => content.leave()) });
}

/** An element, as it is to be, with what is in it. */
function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  as: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), as);
  element.append(...children);
  return element;
}

/** Focusable, so that what is too wide can be scrolled by keyboard. */
const scrollable = (ariaLabel: string) => ({ tabIndex: 0, role: "group", ariaLabel });
