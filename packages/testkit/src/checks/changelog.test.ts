import { describe, expect, it } from "vitest";
import { isChange, sentencesOf, withRelease } from "./changelog.ts";

describe("the changelog", () => {
  it("is made of changes, and not of what explains their folder", () => {
    expect([".changeset/README.md", ".changeset/brave-cats.md"].filter(isChange)).toEqual([".changeset/brave-cats.md"]);
  });

  it("takes what a change tells users, without the packages it names", () => {
    expect(sentencesOf('---\n"@threadlore/client": minor\n---\n\nFiles of any size.\nIn pieces.\n')).toBe(
      "Files of any size.\nIn pieces.",
    );
    expect(sentencesOf("---\n---\n")).toBe("");
  });

  it("has the newest release on top, with its date, and keeps the others", () => {
    const before = "# Changelog\n\n## 0.1.0 (2026-11-21)\n\n- The first.\n";
    expect(withRelease(before, "0.2.0", "2026-11-30", ["Files of any size.\nIn pieces.\n\nAt once.", "Faster."])).toBe(
      "# Changelog\n\n## 0.2.0 (2026-11-30)\n\n- Files of any size.\n  In pieces.\n\n  At once.\n- Faster.\n\n" +
        "## 0.1.0 (2026-11-21)\n\n- The first.\n",
    );
  });

  it("is not written where it is another file", () => {
    expect(() => withRelease("# Changes\n", "1.0.0", "2026-11-30", [])).toThrow("does not begin");
  });
});
