import { describe, expect, it } from "vitest";
import { linksOf, noLinks } from "./answer/citations.ts";
import { sourcesToHtml, toHtml } from "./html.ts";
import { createMarkdown } from "./markdown/markdown.ts";

function html(text: string, links = noLinks): string {
  const markdown = createMarkdown();
  markdown.push(text);
  return toHtml(markdown.end(), links);
}

const wiki = {
  documentId: "w",
  title: "Leave & more",
  link: "https://wiki.ok.test/a?b=1&c=2",
  sourceType: "web",
  passages: [],
};
const answer = { citations: [{ number: 1, marks: [4], source: wiki }], sources: [wiki] };

describe("toHtml", () => {
  it("writes every kind of block", () => {
    expect(html("## A\n\nb *c* **d** ~~e~~ `f`  \ng\n\n---")).toBe(
      "<h2>A</h2>\n<p>b <em>c</em> <strong>d</strong> <del>e</del> <code>f</code><br>\ng</p>\n<hr>",
    );
    expect(html("> q\n\n```ts\na < b\n```")).toBe(
      '<blockquote>\n<p>q</p>\n</blockquote>\n<pre><code class="language-ts">a &lt; b\n</code></pre>',
    );
    expect(html("3. a\n4. b")).toBe('<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>');
    expect(html("- [ ] a\n\n- [x] b")).toBe("<ul>\n<li>☐ <p>a</p></li>\n<li>☑ <p>b</p></li>\n</ul>");
    expect(html("| a | b |\n|---|:-:|\n| 1 | 2 |")).toBe(
      '<table>\n<thead>\n<tr><th>a</th><th align="center">b</th></tr>\n</thead>\n<tbody>\n<tr><td>1</td><td align="center">2</td></tr>\n</tbody>\n</table>',
    );
  });

  it("links only what is allowed, and escapes the address", () => {
    const links = linksOf(answer);
    expect(html("[x](https://wiki.ok.test/a?b=1&c=2) [4] [y](https://wiki.ok.test/b) [5]", links)).toBe(
      '<p><a href="https://wiki.ok.test/a?b=1&amp;c=2" rel="noopener noreferrer">x</a> ' +
        '<a href="https://wiki.ok.test/a?b=1&amp;c=2" rel="noopener noreferrer">[1]</a> y (wiki.ok.test) [5]</p>',
    );
  });

  it("drops a language that is no plain word", () => {
    expect(html('``` x"onclick=\na\n```')).toBe("<pre><code>a\n</code></pre>");
  });
});

describe("sourcesToHtml", () => {
  it("lists what is cited", () => {
    expect(sourcesToHtml(answer.citations, linksOf(answer))).toBe(
      '<ol>\n<li><a href="https://wiki.ok.test/a?b=1&amp;c=2" rel="noopener noreferrer">Leave &amp; more</a></li>\n</ol>',
    );
    expect(sourcesToHtml(answer.citations, noLinks)).toBe("<ol>\n<li>Leave &amp; more (wiki.ok.test)</li>\n</ol>");
    expect(sourcesToHtml([], noLinks)).toBe("");
  });
});
