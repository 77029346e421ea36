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

it("that is gone is looked for once more without reading its folder's names, unless something answers to its path", async () => {
  const names = ["x.md", "README.md"];
  let listings = 0;
  const list = async () => {
    listings += 1;
    return [...names];
  };
  // A disk to which capital and small letters are one.
  const isMissing = async (path: string) => !names.some((name) => `/r/${name}`.toLowerCase() === path.toLowerCase());
  const presences = new Presences(list, isMissing);
  for (let file = 0; file < 100; file += 1) {
    expect(await presences.of(`/r/${file}.md`, "/r")).toBe("gone");
    expect(await presences.isBack(`/r/${file}.md`, "/r")).toBe(false);
  }
  expect(listings).toBe(1);
  expect(await presences.isBack("/r/Readme.md", "/r")).toBe(false);
  names.push("7.md");
  expect(await presences.isBack("/r/7.md", "/r")).toBe(true);
});
