import { describe, expect, it } from "vitest";
import { partsOfHtml } from "./html.ts";

const textOf = (html: string) =>
  partsOfHtml(html)
    .parts.map((part) => part.text)
    .join("\n");

describe("HTML", () => {
  it.each([
    ["paragraphs", "<p>One\n  two</p><p>three<br>four</p>", "One two\n\nthree\nfour"],
    [
      "text in and around inline elements",
      "a<b>b</b> <i>c</i>\n<a href='https://x.example'>link</a>, d",
      "ab c link, d",
    ],
    ["entities", "<p>&lt;b&gt; &amp; &eacute;&nbsp;&#x1F600;", "<b> & é \u{1f600}"],
    ["lists", "<ul><li>a<li>b<ol start=3><li>c</li><li><p>d</p></li></ol></ul><p>e", "- a\n- b\n  3. c\n  4. d\n\ne"],
    [
      "tables",
      "<table><tr><th>Kind<th>Days</tr><tr><td><p>Paid</p><p>leave</p></td><td>30</td></tr></table>",
      "Kind | Days\n--- | ---\nPaid leave | 30",
    ],
    [
      "tables whose first cell is empty, and bars in cells",
      "<table><tr><th><th>Mon<th>Tue</tr><tr><td>a | b<td>1<td>2</tr></table><p>After | it",
      "| | Mon | Tue\n--- | --- | ---\na \\| b | 1 | 2\n\nAfter | it",
    ],
    [
      "boxes that are only laid out as tables",
      "<table><tr><td>Left | right</td></tr><tr><td><table><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table></td></tr></table>",
      "Left | right\na | b | c | d",
    ],
    [
      "code",
      "<p>Run <code>npm  x</code>:</p><pre><code>a  b\n\n  c\n</code></pre><p>done",
      "Run `npm x`:\n\n```\na  b\n\n  c\n```\n\ndone",
    ],
    ["pictures by their words", '<p>See <img src=x alt="a map"> and <img src=y alt="">.', "See [image: a map] and ."],
    ["definitions and quotes", "<dl><dt>T</dt><dd>D</dd></dl><blockquote>Q</blockquote>", "T\n\nD\n\nQ"],
    ["what is broken", "<p>a<div>b</p></i></div>c<table><td>d", "a\n\nb\n\nc\n\nd"],
    ["an unfinished tag", "<p>a</p><p class='", "a"],
  ])("reads %s", (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it.each([
    "<script>BAD</script>",
    "<style>BAD</style>",
    "<template>BAD</template>",
    "<noscript>BAD</noscript>",
    "<svg><text>BAD</text></svg>",
    "<iframe>BAD</iframe>",
    "<textarea>BAD</textarea>",
    "<select><option>BAD</select>",
    "<input value=BAD>",
    "<!-- BAD -->",
    "<button>BAD</button>",
    "<p hidden>BAD</p>",
    "<dialog>BAD</dialog>",
    "<p style='DISPLAY : none !important'>BAD</p>",
    "<p style='color:red;visibility:hidden'>BAD</p>",
    "<p style='font-size:0px'>BAD</p>",
    "<p style='opacity:0.0'>BAD</p>",
    "<p style='color:transparent'>BAD</p>",
    "<p style='position:absolute;left:-9999px'>BAD</p>",
    "<p style='text-indent:-999em'>BAD</p>",
    "<p style='color:rgba(0,0,0,0)'>BAD</p>",
    "<div hidden><p>x<b>BAD</b></div>",
    "<p title='BAD' data-x=BAD></p>",
    "<p style='clip-path: inset(100%)'>BAD</p>",
    "<svg><title>BAD</title></svg>",
  ])("leaves out %s", (hidden) => {
    expect(textOf(`<body>${hidden}<p>good</p>`)).toBe("good");
  });

  it.each([
    "<p hidden=until-found>good</p>",
    "<dialog open>good</dialog>",
    "<p style='opacity:0.5;font-size:10px;left:-5px'>good</p>",
    "<details><p>good</p></details>",
  ])("keeps %s", (shown) => {
    expect(textOf(shown)).toBe("good");
  });

  it("reads what is meant for readers without scripts when there is nothing else", () => {
    expect(textOf("<div id=app></div><noscript><p>The whole thread</p></noscript>")).toBe("The whole thread");
  });

  it("is not led astray by marks that mean nothing in HTML", () => {
    expect(textOf("<body><![CDATA[ <p>good</p><?php x ?><!doctype y></body>")).toBe("good");
  });

  it("counts what is hidden from a reader, but not scripts", () => {
    expect(partsOfHtml("<p hidden>a b<i>c</i></p><p>d</p><script>efg</script>").hiddenCharacters).toBe(3);
  });

  it("cuts at headings, with the nearest id or the heading's own words as their place", () => {
    const html = `<h1>Leave <a class=anchor href="#l">¶</a></h1>a<section id=s1><h2>Sick</h2>b</section><h2 id="x y">Own</h2>c
      <h3><a name=inner></a>In-ner</h3>d<p id=far>e</p><h4>No-id, sorry</h4><h2> </h2>f`;
    expect(partsOfHtml(html).parts.map((part) => [part.level, part.heading, part.fragment, part.text])).toEqual([
      [0, "", undefined, ""],
      [1, "Leave", ":~:text=Leave", "a"],
      [2, "Sick", "s1", "b"],
      [2, "Own", "x%20y", "c"],
      [3, "In-ner", "inner", "d\n\ne"],
      [4, "No-id, sorry", ":~:text=No%2Did%2C%20sorry", "f"],
    ]);
  });

  it("reads title, language and meta elements", () => {
    const html = `<html lang=de><head><title> A &amp;\n B </title><meta name=Author content="Ada"><meta property="og:title" content=x><meta name=author content=z></head><h1>H</h1>`;
    const { title, authors, metadata } = partsOfHtml(html);
    expect([title, metadata?.["language"], authors]).toEqual(["A & B", "de", ["Ada"]]);
    expect(partsOfHtml('<meta property="og:title" content=x><p>y').title).toBe("x");
    expect(partsOfHtml("<h2>no</h2><h1>First</h1>").title).toBe("First");
    expect(partsOfHtml("<p>none</p>").title).toBeUndefined();
  });

  it("stops where elements nest without end", () => {
    const { cut, parts } = partsOfHtml(`<p>start</p>${"<div>".repeat(100_000)}end`);
    expect(cut).toBe(true);
    expect(parts[0]?.text).toBe("start");
  });

  describe("of a page that hides its text until its scripts have run", () => {
    const text = "The committee measured every bed for six weeks, and found what beans want.";
    const data = `<script>${"water ".repeat(2_000)}</script>`;

    it.each([
      ["by its body", `<body style="opacity: 0"><p>${text}</p>${data}`],
      ["in one element", `<div>…</div><div hidden><p>${text}</p></div>${data}`],
      ["in two", `<i>…</i><div hidden><p>${text}</p></div><div style="display:none"><p>${text}</p></div>`],
      ["one inside the other", `<body style="visibility:hidden"><div hidden><p>${text}</p>${data}</div>`],
    ])("is read what it hides: %s", (_, html) => {
      expect(textOf(html)).toContain(text);
      expect(textOf(html)).not.toContain("water");
      expect(partsOfHtml(html).hiddenCharacters).toBe(0);
    });

    it("is read nothing of what stays hidden then", () => {
      const html = `<body style="opacity:0"><p>${text}</p><p hidden>BAD${data}</p>`;
      expect(textOf(html)).toBe(text);
      expect(partsOfHtml(html).hiddenCharacters).toBe(3);
    });

    it("is read nothing more where enough is shown, however much is hidden", () => {
      const html = `<p>${text}</p><div hidden>${"BAD ".repeat(100)}</div>`;
      expect(textOf(html)).toBe(text);
    });
  });
});
