import { expect, it } from "vitest";
import { Presences } from "./presence.ts";

/** A disk that lists these names; `null`: the folder cannot be read. */
function disk(folders: Record<string, readonly string[] | null>) {
  return new Presences(async (folder) => {
    const names = folders[folder];
    if (names === null) throw new Error("EACCES");
    return names;
  });
}

it.each([
  ["there", "a/b/c.md", { "/r": ["a"], "/r/a": ["b"], "/r/a/b": ["c.md"] }],
  ["gone", "a/b/c.md", { "/r": ["a"], "/r/a": ["b"], "/r/a/b": ["d.md"] }],
  ["gone", "a/b/c.md", { "/r": ["x.md"] }],
  // A file took the folder's place.
  ["gone", "a/b/c.md", { "/r": ["a"] }],
  ["unreadable", "a/b/c.md", { "/r": ["a"], "/r/a": null }],
  ["unreadable", "a/b/c.md", { "/r": null }],
  // The folder itself is not there: its disk may be away with all that is on it.
  ["unreadable", "a/b/c.md", {}],
  ["empty", "a/b/c.md", { "/r": ["a"], "/r/a": [] }],
  ["empty", "a/b/c.md", { "/r": [] }],
  ["gone", "Readme.md", { "/r": ["README.md"] }],
] as const)("a file is %s: %s in %j", async (presence, file, folders) => {
  expect(await disk(folders).of(`/r/${file}`, "/r")).toBe(presence);
});

it("is looked for anew once that was said, up to the folder that was pointed at", async () => {
  const folders: Record<string, string[]> = { "/": ["r"], "/r": ["a"], "/r/a": ["x.md"] };
  const presences = disk(folders);
  expect(await presences.of("/r/a/c.md", "/r")).toBe("gone");
  folders["/r/a"] = ["c.md"];
  expect(await presences.of("/r/a/c.md", "/r")).toBe("gone");
  presences.forget("/r/a/c.md", "/r");
  expect(await presences.of("/r/a/c.md", "/r")).toBe("there");
  presences.forget("/c.md", "/");
  expect(await presences.of("/c.md", "/")).toBe("gone");
});
