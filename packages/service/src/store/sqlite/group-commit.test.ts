import { afterEach, describe, expect, it } from "vitest";
import { Database } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";

const opened: Database[] = [];
afterEach(() => {
  for (const db of opened.splice(0)) db.close();
});

function emptyDatabase(): { db: Database; add: (name: string) => () => number; names: () => unknown[] } {
  const db = new Database(":memory:");
  opened.push(db);
  return {
    db,
    add: (name) => () => db.run("INSERT INTO connectors (name, source) VALUES (?, 'web')", name).lastId,
    names: () => db.all("SELECT name FROM connectors WHERE id > 1 ORDER BY id").map((row) => row["name"]),
  };
}

describe("writes that arrive together", () => {
  it("are kept by one commit, each with its own result", async () => {
    const { db, add, names } = emptyDatabase();
    const together = new GroupCommit(db);
    const ids = await Promise.all(["a", "b", "c"].map((name) => together.write(add(name))));
    expect(ids).toEqual([2, 3, 4]);
    expect(names()).toEqual(["a", "b", "c"]);
  });

  it("fail one by one: what one did is undone, the others stay", async () => {
    const { db, add, names } = emptyDatabase();
    const together = new GroupCommit(db);
    const outcomes = await Promise.allSettled([
      together.write(add("a")),
      together.write(() => {
        add("undone")();
        throw new Error("refused");
      }),
      together.write(add("c")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(names()).toEqual(["a", "c"]);
  });

  it("fail all where they cannot be kept, and go on with the next ones", async () => {
    const { db, add, names } = emptyDatabase();
    const together = new GroupCommit(db);
    db.sqlite.exec("PRAGMA query_only = ON");
    const outcomes = await Promise.allSettled([together.write(add("a")), together.write(add("b"))]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    db.sqlite.exec("PRAGMA query_only = OFF");
    await together.write(add("c"));
    expect(names()).toEqual(["c"]);
  });

  it("are split when they take long, and none is forgotten", async () => {
    const { db, add, names } = emptyDatabase();
    const together = new GroupCommit(db);
    const slow = (name: string) => () => {
      const until = performance.now() + 30;
      while (performance.now() < until);
      return add(name)();
    };
    await Promise.all(["a", "b", "c", "d"].map((name) => together.write(slow(name))));
    expect(names()).toEqual(["a", "b", "c", "d"]);
  });
});
