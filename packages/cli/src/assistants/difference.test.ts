import { describe, expect, it } from "vitest";
import { difference, withoutValues } from "./difference.ts";

describe("a difference", () => {
  it.each([
    ["is replaced", "f", "a\nb\n", "f", "c\n", "--- f\n+++ f\n-a\n-b\n+c\n"],
    ["comes with its file", undefined, undefined, "f", "a\n", "--- /dev/null\n+++ f\n+a\n"],
    ["goes with its file", "f", "a\n", undefined, undefined, "--- f\n+++ /dev/null\n-a\n"],
    ["comes into a file", "f", undefined, "f", "a\n", "--- f\n+++ f\n+a\n"],
  ])("of an entry that %s shows it as it goes and comes", (_, was, gone, is, come, said) => {
    expect(difference({ path: was, text: gone }, { path: is, text: come })).toBe(said);
  });
});

describe("an entry that was found", () => {
  const OURS = { command: "/opt/node", args: ["/opt/main.js", "mcp"], env: {} };

  it("keeps the values that are written anew in the same place, and no others", () => {
    const found = {
      command: "/opt/node",
      args: ["--key=secret", "mcp"],
      env: { KEY: "secret" },
      port: 8411,
      on: new Date(0),
    };
    expect(withoutValues(found, OURS)).toEqual({
      command: "/opt/node",
      args: ["…", "mcp"],
      env: { KEY: "…" },
      port: "…",
      on: "…",
    });
  });

  it("keeps none where nothing is written", () => {
    expect(withoutValues(OURS, undefined)).toEqual({ command: "…", args: ["…", "…"], env: {} });
  });

  it.each(["secret", null, ["secret"]])("that is none is not shown: %j", (found) => {
    expect(withoutValues(found, OURS)).toEqual({ "…": "…" });
  });
});
