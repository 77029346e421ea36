import { ownTime } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { textOfHtml } from "./html-text.ts";

describe("textOfHtml", () => {
  it("keeps what is read, block by block, with headings marked", () => {
    const html = `<!doctype html><html><head><title>No</title><style>p{}</style></head><body><!-- no -->
      <h1>Leave &amp; travel</h1><p>Sixteen   weeks.<br>Ask <b>first</b>.</p><ul><li>One<li>Two</ul>
      <script>if (a < b) "</p>"</script><p title="a > b">1 &lt; 2 &#x1F642; &#39;x&#39; &unknown; a < b</p></body></html>`;
    expect(textOfHtml(html)).toBe(
      "# Leave & travel\n\nSixteen weeks.\nAsk first.\n\nOne\nTwo\n\n1 < 2 🙂 'x' &unknown; a < b",
    );
  });

  it("gives text for markup that is cut off, and never a tag made of entities' remains", () => {
    for (const html of ["<p>a<script>b", "a<!-- b", 'a<p title="b', "a<", "a</", "a<p", "İ<SCRIPT>x</script>a"]) {
      expect(textOfHtml(html)).toMatch(/a/);
      expect(textOfHtml(html)).not.toMatch(/b|x/);
    }
  });

  it("looks no further than so many characters are taken", () => {
    expect(textOfHtml("<p>One</p><p>Two</p><p>Three</p>", 9)).toBe("One\n\nTwo");
    expect(textOfHtml("a < b < c <b>d</b> e", 7)).toBe("a < b <");
    expect(textOfHtml(`${"<".repeat(10)}<p>x`, 4)).toBe("<<<<");
    expect(textOfHtml("<p>One</p><p>Two</p>", 100)).toBe("One\n\nTwo");
  });

  it("T27 reads a megabyte of the worst kinds of markup in a moment", () => {
    for (const unit of ["<", "<script", "<script>", "</script ", "<!--", "<p", "&", "&#", "<p a='", " \n", "\n \n"]) {
      expect(ownTime(() => textOfHtml(unit.repeat(1_000_000 / unit.length)))).toBeLessThan(3_000);
    }
  });
});
