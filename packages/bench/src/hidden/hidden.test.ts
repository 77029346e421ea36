import { expect, it } from "vitest";
import { benchHidden } from "./hidden.ts";

it("the bench of hidden documents asks by each way, and is told the same", { timeout: 120_000 }, async () => {
  const { groups } = await benchHidden({ hidden: 40, seen: 10, asks: 1, withPostgres: false });
  expect(groups.map(({ name }) => name)).toEqual([
    "SQLite, 40 documents hidden or none: who may see none of them",
    "SQLite, 40 documents hidden or none: answered as soon as can be (control)",
  ]);
  for (const { columns, rows } of groups) {
    expect(rows.length).toBeGreaterThan(8);
    for (const { figures } of rows) {
      expect(Object.keys(figures)).toEqual(columns.map(({ title }) => title));
      expect(Object.values(figures).every(Number.isFinite)).toBe(true);
    }
  }
});
