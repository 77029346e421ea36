import { describe, expect, it } from "vitest";
import { foreign, html } from "./html.ts";

describe("T43 what a page is made of", () => {
  it("keeps text in its place, whatever is in it", () => {
    const text = `"><script>alert('1')</script>&amp;`;
    const { text: made } = html`<a title="${text}">${text}${html`<b>${1}</b>`}${undefined}</a>`;
    expect(made).not.toContain("<script");
    expect(made).toMatch(/^<a title="[^"<>]+">[^"<>]+<b>1<\/b><\/a>$/);
  });

  it("shows others' words as others' words: one line, nothing unseen, nothing that turns it around, cut", () => {
    const { text } = foreign(`Threadlore\u202E\u200B\n\n bot\u0000 ${"x".repeat(200)}`);
    expect(text).toBe(`<bdi class="foreign">Threadlore bot ${"x".repeat(105)}…</bdi>`);
    expect(foreign("\u202E").text).toBe('<bdi class="foreign">–</bdi>');
  });
});
