import { describe, expect, it } from "vitest";
import { difference } from "./difference.ts";

describe("a difference", () => {
  it("names the lines that go and come, and none around them", () => {
    expect(difference("f", "key: secret\na\nb\nz\n", "key: secret\na\nc\nd\nz\n")).toBe(
      "--- f\n+++ f\n@@ -3 +3,2 @@\n-b\n+c\n+d\n",
    );
  });

  it.each([
    ["a new file", undefined, "a\n", "--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a\n"],
    ["a file that goes", "a\n", undefined, "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"],
    ["lines that only come", "a\nb\n", "a\nx\nb\n", "--- f\n+++ f\n@@ -1,0 +2 @@\n+x\n"],
    ["a line that is there twice", "a\na\n", "a\na\na\n", "--- f\n+++ f\n@@ -2,0 +3 @@\n+a\n"],
    ["nothing", "a\n", "a\n", ""],
    [
      "a line without a line break",
      "a",
      "a\nb",
      "--- f\n+++ f\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n",
    ],
  ])("of %s is as diff says it", (_, before, after, said) => {
    expect(difference("f", before, after)).toBe(said);
  });
});
