import { linksOf, noLinks } from "@threadlore/ask";
import { describe, expect, it } from "vitest";
import { answerOf, AWKWARD, CITED } from "../../testing/answers.ts";
import { toMrkdwn } from "../transport/calls.harness.ts";
import { toSlackMarkdown } from "./pieces.ts";

const J = "\u2060";

function markdown(text: string): string {
  const answer = answerOf({ text });
  return toSlackMarkdown(answer.blocks, linksOf(answer));
}
function mrkdwn(text: string): string {
  const answer = answerOf({ text });
  return toMrkdwn(answer.blocks, linksOf(answer));
}

describe("both markups", () => {
  it("escape what stands in prose and in code exactly once", () => {
    expect(markdown("a < b && c > d &lt; `x<y>&`")).toBe("a &lt; b &amp;&amp; c &gt; d &lt; `x&lt;y&gt;&amp;`");
    expect(mrkdwn("a < b && c > d &lt; `x<y>&`")).toBe("a &lt; b &amp;&amp; c &gt; d &lt; `x&lt;y&gt;&amp;`");
    expect(markdown("```\na <b>\n```")).toBe("```\na &lt;b&gt;\n```");
  });

  it("keep emphasis, headings, quotes, lists and rules", () => {
    const text =
      "## Title\n\n**bold** *it* ~~no~~\n\n> quoted\n> twice\n\n- one\n  - two\n- [x] done\n\n3. three\n4. four\n\n---\n\nend";
    expect(markdown(text)).toBe(
      "## Title\n\n**bold** *it* ~~no~~\n\n> quoted twice\n\n- one\n    - two\n- ☑ done\n\n3. three\n4. four\n\n---\n\nend",
    );
    expect(mrkdwn(text)).toBe(
      "*Title*\n\n*bold* _it_ ~no~\n\n> quoted twice\n\n• one\n    • two\n• ☑ done\n\n3. three\n4. four\n\n———\n\nend",
    );
  });

  it("keep blocks inside entries and quotes in their place", () => {
    expect(markdown("- a\n\n  b\n\n  ```sh\n  x <y\n  ```\n- c\n\n> - q\n>\n> r")).toBe(
      "- a\n\n    b\n\n    ```sh\n    x &lt;y\n    ```\n- c\n\n> - q\n>\n> r",
    );
  });

  it("keep two lists in a row apart", () => {
    expect(markdown("- a\n- b\n\n* c\n\n1. d\n\n1) e")).toBe("- a\n- b\n\n* c\n\n1. d\n\n1) e");
  });

  it("link only what may be linked, and name the host of what may not", () => {
    expect(markdown(`[page](${CITED}) [log in](https://evil.test/x) ![pic](https://evil.test/p)`)).toBe(
      `[page](${CITED}) log in (evil.test) \\[image: pic (evil.test)\\]`,
    );
    expect(mrkdwn(`[page](${CITED}) [log in](https://evil.test/x)`)).toBe(`<${CITED}|page> log in (evil.test)`);
  });

  it("name the host behind a label that reads like another address", () => {
    expect(markdown(`[https://bank.test/login](${CITED})`)).toBe(
      `[https:${J}//bank.test/login](${CITED}) (docs.ok.test)`,
    );
    expect(mrkdwn(`[www.bank.test](${CITED})`)).toBe(`<${CITED}|www${J}.bank.test> (docs.ok.test)`);
    expect(markdown(`[docs.ok.test](${CITED})`)).toBe(`[docs.ok.test](${CITED})`);
  });

  it("link a bare address that is cited, and part one that is not", () => {
    expect(markdown(`See ${CITED}. Not https://evil.test/x or www.evil.test.`)).toBe(
      `See [https:${J}//docs.ok.test/a](${CITED}). Not https:${J}//evil.test/x or www${J}.evil.test.`,
    );
  });

  it("show citations as numbers, linked where their source has an address that may be opened", () => {
    expect(markdown("Yes [1]. And [2], not [7].")).toBe(
      `Yes [[1]](${CITED}). And [[2]](https://docs.ok.test/b_%28c%29?x=1&amp;y=2), not [7].`,
    );
    expect(mrkdwn("Yes [2].")).toBe(`Yes <https://docs.ok.test/b_%28c%29?x=1&amp;y=2|[1]>.`);
    const answer = answerOf({ text: "Yes [1].", link: "javascript:alert(1)" });
    expect(toSlackMarkdown(answer.blocks, linksOf(answer))).toBe("Yes [1].");
    expect(AWKWARD).toContain("(c)");
  });

  it("write tables as aligned text, wide ones as a list", () => {
    const table = "| Country | Days |\n|---|--:|\n| Norway | 14 |\n| 日本 | 5 [1] |";
    expect(markdown(table)).toBe("```\nCountry |  Days\n--------|------\nNorway  |    14\n日本    | 5 [1]\n```");
    const wide = `| a | b |\n|---|---|\n| ${"long words ".repeat(12)} | **x** |`;
    expect(markdown(wide)).toContain("long words");
    expect(mrkdwn(wide)).toContain("b: *x*");
  });

  it("escape in markdown only what would be read as markup", () => {
    expect(markdown("snake_case 5 * 3 C:\\Users a\\_b\\* \\[x\\] 1\\. - ~5")).toBe(
      "snake_case 5 * 3 C:\\Users a_b\\* \\[x\\] 1. - \\~5",
    );
    expect(markdown("1\\. x\n\n\\- y\n\n\\# z\n\n\\> q\n\n2024 was")).toBe(
      `1\\. x\n\n\\- y\n\n\\# z\n\n${J}&gt; q\n\n2024 was`,
    );
  });

  it("leave addresses in a block of code as they are, to be copied", () => {
    expect(markdown("```sh\ncurl https://api.example.test/v1\n```")).toBe(
      "```sh\ncurl https://api.example.test/v1\n```",
    );
  });

  it("show no link at all without links", () => {
    const answer = answerOf({ text: `[page](${CITED}) [1] ${CITED}` });
    expect(toSlackMarkdown(answer.blocks, noLinks)).toBe(`page (docs.ok.test) [1] https:${J}//docs.ok.test/a`);
  });
});
