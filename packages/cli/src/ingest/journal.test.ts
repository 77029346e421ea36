import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJournal } from "./journal.ts";
import { temporaryFolder } from "@threadlore/testkit";

const entry = { server: "https://a.test", pair: 3, id: "file-1", hash: "h1" };
const newPath = () => join(temporaryFolder(), "deep", "journal.jsonl");

describe("journal", () => {
  it("knows after reopening what was added, and only under the same server, pair, id and hash", () => {
    const path = newPath();
    const first = openJournal(path);
    expect(first.has(entry)).toBe(false);
    first.add(entry);
    first.close();
    const second = openJournal(path);
    expect(second.has(entry)).toBe(true);
    for (const other of [{ server: "https://b.test" }, { pair: 4 }, { pair: null }, { id: "file-2" }, { hash: "h2" }]) {
      expect(second.has({ ...entry, ...other })).toBe(false);
    }
  });

  it("goes by the newest entry: content that changed and changed back is sent again", () => {
    const path = newPath();
    const journal = openJournal(path);
    journal.add(entry);
    journal.add({ ...entry, hash: "h2" });
    expect(journal.has(entry)).toBe(false);
    journal.close();
    expect(openJournal(path).has(entry)).toBe(false);
  });

  it("cut at every byte of its last line, keeps the lines before it and takes new ones", () => {
    const path = newPath();
    const journal = openJournal(path);
    journal.add(entry);
    const kept = readFileSync(path).length;
    journal.add({ ...entry, id: "file-2" });
    journal.close();
    const bytes = readFileSync(path);
    for (let cut = kept; cut < bytes.length; cut += 1) {
      writeFileSync(path, bytes.subarray(0, cut));
      const reopened = openJournal(path);
      expect(reopened.has(entry)).toBe(true);
      expect(reopened.has({ ...entry, id: "file-2" })).toBe(false);
      reopened.add({ ...entry, id: "file-3" });
      reopened.close();
      expect(openJournal(path).has({ ...entry, id: "file-3" })).toBe(true);
    }
  });

  it("passes over a damaged line", () => {
    const path = newPath();
    openJournal(path).add(entry);
    appendFileSync(path, '{"server":\nnull\n[]\n');
    expect(openJournal(path).has(entry)).toBe(true);
  });

  it("is readable by its owner only", () => {
    const path = newPath();
    openJournal(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
