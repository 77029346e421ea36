import { describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { openChat } from "../chat.harness.ts";
import { Database } from "../store/sqlite/database.ts";
import { addFile } from "../store/files.ts";
import { attachmentsOf } from "./attachments.ts";
import { wordingFor } from "./wording/wording-for.ts";

const owner: Caller = { user: "owner", role: "ordinary", groups: [], documentSets: null };

function withFiles(files: Record<string, { text: string; kind?: string }>): { db: Database } {
  const db = new Database(":memory:");
  for (const [id, { text, kind = "plain_text" }] of Object.entries(files)) {
    const file = { id, name: id, mediaType: "text/plain", chatFileType: kind, size: 1, text, gap: null, createdAt: 0 };
    db.transact(addFile("owner", file, new Uint8Array(1)));
  }
  return { db };
}

const wording = wordingFor("en");

describe("T27 attached files", () => {
  it("T27 a huge column name times many rows stays within what is read of one text, and that is said", () => {
    const context = withFiles({ t: { text: `${"h".repeat(100_000)},b\n${"1,2\n".repeat(200_000)}`, kind: "csv" } });
    const { texts, notes } = context.db.perform(attachmentsOf(owner, [{ id: "t", type: "csv" }], { wording }));
    expect(texts[0]?.text.length).toBeLessThanOrEqual(2_000_000);
    expect(texts[0]?.text).toMatch(/^- h{100}: 1, b: 2\n\n- h{100}: 1/);
    expect(notes).toEqual(["Of “t”: It is too long: only its beginning was read."]);
    context.db.close();
  });

  it("T27 a file attached many times, or earlier on the branch, is read once", () => {
    const context = withFiles({ a: { text: "words" } });
    const many = Array.from({ length: 50 }, () => ({ id: "a", type: "plain_text" }));
    const { texts } = context.db.perform(attachmentsOf(owner, many, { wording }));
    expect(texts).toHaveLength(1);
    expect(context.db.perform(attachmentsOf(owner, many, { wording, before: texts })).texts).toEqual([]);
    context.db.close();
  });

  it("T27 all files together have a limit, and what is beyond it is said", () => {
    const text = "word ".repeat(500_000);
    const context = withFiles({ a: { text }, b: { text }, c: { text } });
    const descriptors = ["a", "b", "c"].map((id) => ({ id, type: "plain_text" }));
    const { texts, notes } = context.db.perform(attachmentsOf(owner, descriptors, { wording }));
    expect(texts.map((one) => one.text.length)).toEqual([2_000_000, 2_000_000]);
    expect(notes.at(-1)).toBe("The attached files are too long together: “c” has no part in this answer.");
    context.db.close();
  });

  it("T27 more than 50 files for one question are refused with the place", async () => {
    const chat = await openChat();
    const file_descriptors = Array.from({ length: 51 }, () => ({ id: "x", type: "plain_text" }));
    const reply = await chat.call("POST", "/chat/send-chat-message", { message: "x", file_descriptors });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ detail: [{ loc: ["body", "file_descriptors"] }] });
    await chat.close();
  });
});
