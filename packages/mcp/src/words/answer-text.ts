/**
 * An answer's tree as markdown for an assistant. Every text is escaped, so that only what the tree says is markup; an
 * address becomes a link where the sources hold it, and is otherwise a text that names its host; nothing is loaded.
 */
import {
  addressNote,
  type Block,
  type Inline,
  type Links,
  type ListItem,
  plainText,
  type Table,
  visibleText,
} from "@threadlore/ask";
import { codeLanguage, withoutAddresses } from "./quoted-text.ts";

/** The blocks of an answer as markdown; citation marks as `[1]`, in the numbers of its citations. */
export function answerText(blocks: readonly Block[], links: Links): string {
  return blocks.map((block) => blockText(block, links)).join("\n\n");
}

function blockText(block: Block, links: Links): string {
  switch (block.type) {
    case "paragraph":
      return lineStarts(inlineText(block.children, links));
    case "heading":
      return `${"#".repeat(block.level)} ${onOneLine(inlineText(block.children, links))}`;
    case "code":
      return codeText(block.text, codeLanguage(block.language), links);
    case "quote":
      return behind("> ", answerText(block.children, links));
    case "list": {
      const between = block.tight ? "\n" : "\n\n";
      return block.children
        .map((item, at) => itemText(item, block.ordered ? block.start + at : 0, links))
        .join(between);
    }
    case "table":
      return tableText(block, links);
    case "divider":
      return "---";
    case "aside":
      return answerText(block.children, links);
  }
}

/** @param number of an ordered list; 0: a bullet */
function itemText(item: ListItem, number: number, links: Links): string {
  const mark = number === 0 ? "- " : `${number}. `;
  const task = item.checked === undefined ? "" : item.checked ? "[x] " : "[ ] ";
  const text = task + item.children.map((child) => blockText(child, links)).join("\n");
  return mark + behind(" ".repeat(mark.length), text).trimStart();
}

const behind = (prefix: string, text: string): string => text.replace(/^/gm, prefix).replace(/(?<![ \t])[ \t]+$/gm, "");

const onOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join(" ");

function tableText({ header, rows }: Table, links: Links): string {
  const row = (cells: readonly (readonly Inline[])[]): string => {
    const texts = cells.map((cell) => onOneLine(inlineText(cell, links)).replace(/(?<!\\)\\*\|/g, "\\|"));
    return `| ${texts.join(" | ")} |`;
  };
  return [row(header), `|${" --- |".repeat(header.length)}`, ...rows.map(row)].join("\n");
}

/** Nothing of a code is escaped: its fence is longer than any in it, and its addresses are none that open. */
function codeText(code: string, language: string, links: Links): string {
  const text = withoutAddresses(visibleCode(code), (url) => links.href(url) !== undefined);
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${fence}`;
}

/** Code keeps its indentation. */
const visibleCode = (code: string): string => code.split("\t").map(visibleText).join("\t");

function inlineText(nodes: readonly Inline[], links: Links): string {
  return nodes
    .map((node) => nodeText(node, links))
    .reduce((text, next, at) => {
      // Behind a mark, or anything else in brackets, an address or a definition could begin.
      const opens = nodes[at - 1]?.type === "citation" && /^\s*[([:]/.test(next);
      if (opens) return `${text} \\${next.trimStart()}`;
      // Linkifiers read on over whatever stands directly behind an address.
      const runsOn = nodes[at - 1]?.type === "text" && /\/\/\S+$/.test(text.slice(-2_048)) && /^\S/.test(next);
      return text + (runsOn ? ` ${next}` : next);
    }, "");
}

function nodeText(node: Inline, links: Links): string {
  switch (node.type) {
    case "text":
      return plainRun(node.text, links);
    case "emphasis":
      return wrapped("*", inlineText(node.children, links));
    case "strong":
      return wrapped("**", inlineText(node.children, links));
    case "strike":
      return wrapped("~~", inlineText(node.children, links));
    case "codespan":
      return codeSpan(node.text, links);
    case "break":
      return "  \n";
    case "image":
      return plainRun(`[image: ${node.alt}${hostNote(node.url, node.alt)}]`, links);
    case "link": {
      const href = links.href(node.url);
      const label = inlineText(node.children, links);
      if (href === undefined) return label + plainRun(hostNote(node.url, plainText(node.children)), links);
      return `[${label.replace(/\n+/g, " ")}](${href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
    }
    case "citation": {
      const cited = links.cited(node);
      return cited.length === 0 ? plainRun(node.text, links) : cited.map(({ number }) => `[${number}]`).join("");
    }
  }
}

/** A run of text: addresses that no source holds are named by their host, what is markup in it is escaped. */
function plainRun(text: string, links: Links): string {
  const shown = withoutAddresses(
    visibleText(text),
    (url) => links.href(url) !== undefined,
    (address) => hostOf(address),
  );
  return shown.replace(/[\\`*_[\]<>~|]|&(?=#|[a-z]+;)/giu, (character, at: number) => {
    const isInWord =
      character === "_" && /[\p{L}\p{N}]/u.test(shown[at - 1] ?? "") && /[\p{L}\p{N}]/u.test(shown[at + 1] ?? "");
    return isInWord ? character : `\\${character}`;
  });
}

/** The host of an address without a scheme, too; written so that nothing makes a link of it. */
function hostOf(address: string): string {
  const url = URL.parse(/^[a-z]+:/i.test(address) ? address : `https://${address.replace(/^\/\//, "")}`);
  return url === null || url.host === "" ? "(an address)" : `(${unlinked(url.host)})`;
}

/** As `addressNote`, with a host that nothing makes a link of. */
const hostNote = (url: string, label: string): string => unlinked(addressNote(url, label));

const unlinked = (host: string): string => host.replaceAll(".", "[.]");

/** What would begin a heading, a list or a quote where a line of text does. */
function lineStarts(text: string): string {
  return text
    .replace(/^([ \t]*)(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|-{3,}|={2,})/gm, "$1\\")
    .replace(/^([ \t]*\d{1,9})(?=[.)](?:\s|$))/gm, "$1\\");
}

/** Emphasis around nothing, or around spaces, would be marks. */
function wrapped(mark: string, text: string): string {
  const inner = text.trim();
  const before = text.slice(0, text.length - text.trimStart().length);
  const after = text.slice(before.length + inner.length);
  return inner === "" ? text : `${before}${mark}${inner}${mark}${after}`;
}

function codeSpan(code: string, links: Links): string {
  const text = withoutAddresses(visibleText(code), (url) => links.href(url) !== undefined).replace(/\n/g, " ");
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);
  const ticks = "`".repeat(longest + 1);
  const room = /^`|`$/.test(text) ? " " : "";
  return text === "" ? "" : `${ticks}${room}${text}${room}${ticks}`;
}
