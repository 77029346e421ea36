import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startWorkspace } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kept-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a workspace kept in a file", () => {
  it("is the same after a restart: who and what it is, people, channels, threads, pins, files", async () => {
    const file = join(folder, "workspace");
    const first = await startWorkspace({ file, seed: 77 });
    const ada = first.addUser({ name: "ada" });
    const hall = first.addChannel({ name: "hall", members: [ada.user.id], withApp: true });
    const root = await ada.say(hall.id, "Where is the boat?");
    await ada.say(hall.id, "At the quay.", {
      threadTs: root,
      files: [{ name: "q.txt", mimetype: "text/plain", content: "x" }],
    });
    await ada.pin(hall.id, root);
    await first.close();
    expect(statSync(file).mode & 0o077).toBe(0);

    const second = await startWorkspace({ file });
    try {
      expect(second.team).toEqual(first.team);
      expect(second.credentials).toEqual(first.credentials);
      expect(second.people().map(({ user }) => user)).toEqual([ada.user]);
      expect(second.messages(hall.id, root)).toEqual(first.messages(hall.id, root));
      expect(second.message(hall.id, root)?.pinned).toBe(true);
      const attached = second.messages(hall.id, root)[1]?.files[0] ?? "";
      expect(second.file(attached)?.name).toBe("q.txt");
      const later = await second.person(ada.user.id).say(hall.id, "It left.");
      expect(Number(later)).toBeGreaterThan(Number(root));
      expect(second.addUser({ name: "ben" }).user.id).not.toBe(ada.user.id);
    } finally {
      await second.close();
    }
  });

  it("says which file is broken, and what to do", async () => {
    const file = join(folder, "workspace");
    writeFileSync(file, "no");
    await expect(startWorkspace({ file })).rejects.toThrow(`${file} cannot be read. Delete it`);
  });
});
