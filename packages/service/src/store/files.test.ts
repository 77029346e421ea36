import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createService } from "../index.ts";
import { temporaryFolder } from "../service.harness.ts";
import { Database } from "./sqlite/database.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";
import { addFile, addPieces, dropLoosePieces, fileOf, type StoredFile } from "./files.ts";

const CALLER = { user: "owner", role: "ordinary", groups: [], documentSets: null } as const;
const storedFile = (id: string, size: number): StoredFile => ({
  id,
  name: "large.txt",
  mediaType: "text/plain",
  chatFileType: "plain_text",
  size,
  text: "its text",
  gap: null,
  createdAt: 0,
});

describe("a large file", () => {
  it("is written a piece at a time, with room for others before each, and is whole", async () => {
    const db = new Database(":memory:");
    const bytes = randomBytes(9_000_000);
    let breaths = 0;
    await addPieces(new SqliteStore(db), "large", bytes, () => Promise.resolve(void breaths++));
    expect(breaths).toBe(5);
    expect(db.perform(fileOf(CALLER, "large", 100))).toBeUndefined();
    db.transact(addFile(CALLER.user, storedFile("large", bytes.byteLength), bytes));
    expect(db.perform(fileOf(CALLER, "large", 100))).toMatchObject({ size: 9_000_000, text: "its text" });
    const pieces = db.all("SELECT bytes FROM file_pieces WHERE file = 'large' ORDER BY at");
    expect(Buffer.concat(pieces.map((row) => row["bytes"] as Uint8Array)).equals(bytes)).toBe(true);
    db.close();
  });

  it("is not added where a piece of it is missing", async () => {
    const db = new Database(":memory:");
    const bytes = randomBytes(5_000_000);
    await addPieces(new SqliteStore(db), "large", bytes, () => Promise.resolve());
    db.run("DELETE FROM file_pieces WHERE at = 2000000");
    expect(() => db.transact(addFile(CALLER.user, storedFile("large", bytes.byteLength), bytes))).toThrow("missing");
    db.close();
  });

  it("that there is no room for leaves none of its pieces, and room for others", async () => {
    const folder = temporaryFolder();
    const db = new Database(join(folder.path, "service.db"), { limit: 6_000_000 });
    expect(db.hasRoomFor(4_000_000)).toBe(false);
    const bytes = randomBytes(9_000_000);
    await expect(addPieces(new SqliteStore(db), "large", bytes, () => Promise.resolve())).rejects.toThrow(/full/);
    db.makingRoom(() => db.transact(dropLoosePieces(["large"])));
    expect(Number(db.get("SELECT count(*) AS n FROM file_pieces")?.["n"])).toBe(0);
    db.transact(addFile(CALLER.user, storedFile("small", 1_000_000), bytes.subarray(0, 1_000_000)));
    expect(db.perform(fileOf(CALLER, "small", 100))).toMatchObject({ size: 1_000_000 });
    db.close();
    folder.remove();
  });

  it("that was given up leaves nothing: at once, or at the next start", async () => {
    const db = new Database(":memory:");
    const count = () => Number(db.get("SELECT count(*) AS n FROM file_pieces")?.["n"]);
    const bytes = randomBytes(3_000_000);
    await addPieces(new SqliteStore(db), "kept", bytes, () => Promise.resolve());
    db.transact(addFile(CALLER.user, storedFile("kept", bytes.byteLength), bytes));
    await addPieces(new SqliteStore(db), "other", bytes, () => Promise.resolve());
    await addPieces(new SqliteStore(db), "given up", bytes, () => Promise.resolve());
    db.transact(dropLoosePieces(["given up", "kept"]));
    expect(count()).toBe(4);
    const service = createService({ database: db, logLevel: "silent" });
    expect(count()).toBe(2);
    await service.close();
  });
});
