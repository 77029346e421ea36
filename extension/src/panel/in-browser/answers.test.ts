import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../../testing/chromium.ts";
import { violationsOf } from "./axe.harness.ts";
import { openScriptedPanel, type ScriptedPanel } from "./scripted-panel.harness.ts";
import type { ScriptedAnswer } from "./scripted-service.harness.ts";

/** A folder to put pictures of the panel with such answers in. */
const PICTURES = process.env["THREADLORE_LOOK"];
const CODE =
  "const limit = 120;\nfetch(`https://api.example.com/v1/receipts?from=2026-01-01&to=2026-12-31&state=open`);\n";
const RICH: ScriptedAnswer = {
  piece: 40,
  text: [
    "Costs grow as $E = mc^2$ with \\(a_1 * b_2\\)[^1]:",
    "\\[\nx = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\n\\]",
    "$$\n\\begin{matrix} a & b \\end{matrix}\n$$",
    `\`\`\`typescript\n${CODE}\`\`\``,
    "| Case | Since | Until | Amount | What is paid back, and on which condition |\n|---|---|---|---:|---|\n" +
      "| Train | 2026-01-12 | 12 June 2026 | 1,200.50 € | Second class, and first class where it costs less than a flight of the same day. |\n" +
      "| Hotel | 2025-06-12 | 1 March 2027 | 120 € | With breakfast, see https://handbook.example.com/travel/hotels/cities/and-their-limits-in-each-country-of-the-company |",
    "1. One\n   - Inner\n     - Innermost\n2. Two",
    "[^1]: The handbook, page 3.\n[^2]: And its second edition.",
  ].join("\n\n"),
  documents: [
    {
      id: "a",
      title:
        "A title that goes on and on, as those of minutes do which name everybody who was there and all that was said about travel costs and receipts",
      link: "https://wiki.example.com/a",
      passage: "Costs grow.",
    },
    { id: "b", title: "Leave", link: "https://wiki.example.com/b", passage: "Thirty days." },
  ],
};

describe.runIf(await hasChromium())("an answer in the panel", { timeout: 300_000 }, () => {
  let scripted: ScriptedPanel;
  let panel: Page;

  beforeAll(async () => {
    scripted = await openScriptedPanel(RICH, 1_400);
    ({ panel } = scripted);
  }, 300_000);
  afterAll(() => scripted?.close());

  const answer = () => panel.locator(".turn").last().locator(".answer");
  const ask = (question: string, said: ScriptedAnswer) => scripted.ask(question, said);

  /** Light and dark, wide and narrow: nothing wider than the panel, nothing that axe finds. */
  async function look(name: string): Promise<void> {
    for (const [size, width] of Object.entries({ wide: 400, narrow: 280 })) {
      await panel.setViewportSize({ width, height: 1_400 });
      expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      for (const colorScheme of ["dark", "light"] as const) {
        await panel.emulateMedia({ colorScheme });
        expect(await violationsOf(panel)).toEqual([]);
        if (PICTURES === undefined) continue;
        mkdirSync(PICTURES, { recursive: true });
        await panel.screenshot({ path: join(PICTURES, `answer-${name}-${size}-${colorScheme}.png`) });
      }
    }
    await panel.setViewportSize({ width: 400, height: 1_400 });
  }

  /** In how many lines an element's text stands. */
  const linesOf = (selector: string) =>
    answer()
      .locator(selector)
      .evaluateAll((found) =>
        found.map((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
        }),
      );

  it("shows formulas and footnotes as text that is read", async () => {
    await ask("What grows?", {
      ...RICH,
      text: `${RICH.text}\n\nSee [[1]](https://wiki.example.com/a), [[2]](https://wiki.example.com/b).`,
    });
    await look("rich");
    const said = await answer().innerText();
    for (const words of [
      "E = mc²",
      "a₁ * b₂",
      "x = (-b ± √(b² - 4ac))/2a",
      "¹:",
      "¹ The handbook, page 3.",
      "² And its second",
    ])
      expect(said).toContain(words);
    expect(said).toContain("\\begin{matrix} a & b \\end{matrix}");
    expect(said).not.toContain("$");
    expect(said).not.toContain("[^");
  });

  it("gives its code to whoever presses beside it, says so, and covers none of it", async () => {
    await panel.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copy = answer().getByRole("button", { name: "Copy the code (typescript)" });
    await copy.click();
    await answer().locator(".code").getByRole("status").getByText("Copied").waitFor();
    expect(await panel.evaluate(() => navigator.clipboard.readText())).toBe(CODE);
    const [head, code] = await Promise.all([
      answer().locator(".code-head").boundingBox(),
      answer().locator(".code pre").boundingBox(),
    ]);
    expect((head?.y ?? 0) + (head?.height ?? 0)).toBeLessThanOrEqual(code?.y ?? 0);
  });

  it("breaks no date and no amount of a table, scrolls what is wide, and keeps the header in view", async () => {
    expect(await linesOf(".table td.firm")).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    const table = answer().locator(".table");
    const isWide = await table.evaluate((element) => element.scrollWidth > element.clientWidth);
    expect(isWide).toBe(true);
    await ask("All of them?", {
      text: `| Day | What |\n|---|---|\n${"| 2026-01-12 | A line |\n".repeat(80)}`,
      piece: 200,
    });
    await answer()
      .locator(".table")
      .evaluate((element) => element.scrollTo(0, 600));
    const [box, header] = await Promise.all([
      answer().locator(".table").boundingBox(),
      answer().locator("th").first().boundingBox(),
    ]);
    expect(Math.abs((header?.y ?? 0) - (box?.y ?? 0))).toBeLessThan(3);
    await look("long-table");
  });

  it("cuts the title of a source after two lines and has its host below", async () => {
    await ask("What grows?", {
      ...RICH,
      text: "It grows [[1]](https://wiki.example.com/a), and more [[2]](https://wiki.example.com/b).",
    });
    const titles = await answer()
      .locator(".source-title")
      .evaluateAll((found) =>
        found.map((element) => Math.round(element.clientHeight / parseFloat(getComputedStyle(element).lineHeight))),
      );
    expect(titles).toEqual([2, 1]);
    expect(
      await answer()
        .locator(".source-number")
        .evaluateAll((found) => new Set(found.map((one) => one.getBoundingClientRect().right)).size),
    ).toBe(1);
    await look("sources");
  });

  it("stands on the right with its bar where it is written from there", async () => {
    await ask("ما هي تكاليف السفر؟", {
      text: "تكاليف السفر تعاد خلال عشرة أيام.\n\n> اقتباس من الدليل.\n\n- أولاً\n- ثانياً\n\n```\nconst a = 1;\n```",
    });
    const question = panel.locator(".turn").last().locator(".question");
    expect(await question.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
    const quote = answer().locator("blockquote");
    expect(await quote.evaluate((element) => getComputedStyle(element).borderRightWidth)).toBe("2px");
    expect(
      await answer()
        .locator("pre")
        .evaluate((element) => getComputedStyle(element).direction),
    ).toBe("ltr");
    await look("rtl");
  });

  it("breaks Japanese as it is broken", async () => {
    await ask("出張の費用はどのように精算されますか？", {
      text: "出張の費用は、領収書を提出してから十日以内に返金されます。ホテルの上限は一泊一万二千円です。\n\n| 項目 | 上限 |\n|---|---:|\n| ホテル | 12,000円 |",
    });
    const lang = await answer()
      .locator(".prose")
      .evaluate((element) => element.getAttribute("lang"));
    expect(lang).toBe("ja");
    await look("japanese");
  });
});
