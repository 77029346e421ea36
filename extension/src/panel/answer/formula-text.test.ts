import { describe, expect, it } from "vitest";
import { formulaText } from "./formula-text.ts";

describe("a formula as text", () => {
  it.each([
    ["E = mc^2", "E = mc²"],
    ["x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}", "x = (-b ± √(b² - 4ac))/2a"],
    ["\\sum_{i=1}^{n} x_i \\le 10^{-3}", "∑ᵢ₌₁ⁿ xᵢ ≤ 10⁻³"],
    ["\\alpha \\times \\beta\\,\\text{ per day}", "α × β per day"],
    ["\\left( a \\right)^{k+1}", "( a )^(k+1)"],
    ["p = \\$5, 20\\%", "p = $5, 20%"],
    ["f\\colon \\mathbb{R} \\to \\mathbb{R}", undefined],
    ["\\begin{matrix} a & b \\end{matrix}", undefined],
    ["\\sqrt[3]{x}", undefined],
    ["x^{", undefined],
    ["a}b", undefined],
    ["\\constructor", undefined],
    ["{".repeat(5_000), undefined],
  ])("%s", (source, shown) => expect(formulaText(source)).toBe(shown));
});
