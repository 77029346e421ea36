import { join } from "node:path";
import { expect, it } from "vitest";
import { evidenceOf as found } from "../answer/extracted/conflict/conflict.harness.ts";
import { endThreads } from "../search/hosting/index-host.ts";
import { temporaryFolder } from "../service.harness.ts";
import { Database } from "../store/sqlite/database.ts";
import { nearestThere, work } from "./nearness.ts";
import { readKept } from "./otherwise-signs.ts";

const KEPT = [
  ["How many people have to be aboard the Gannet?", "Two people have to be aboard the Gannet."],
  ["Who orders the oil for the Gannet?", "Nora orders the oil."],
  ["Where is the soup?", "In the kitchen."],
] as const;

it("a document is nearest to what its sentences speak of, and is read by the one that says something in its place", () => {
  const readings = KEPT.map(([question, kept]) => readKept(question, kept, { passages: 100, holding: () => 3 }));
  const text = "The Gannet is blue. Nobody takes the Gannet out without three people aboard any more. Mind the ropes.";
  const nearest = work({ passages: [found(0, ["Notes on the Gannet", text])], readings });
  const [crew = 0, oil = 0, soup = 0] = nearest.map((one) => one?.nearness ?? 0);
  expect([crew > oil, oil > soup]).toEqual([true, true]);
  expect(nearest[0]?.says).toBe("Nobody takes the Gannet out without three people aboard any more.");
  expect(nearest[0]?.keptSays).toBe("Two people have to be aboard the Gannet.");
});

it("a document without a sentence is near to nothing", () => {
  const [question, kept] = KEPT[0];
  const reading = readKept(question, kept, { passages: 100, holding: () => 3 });
  expect(work({ passages: [found(0, ["Is it so?", "Is it so?"])], readings: [reading] })).toEqual([undefined]);
});

it("others go between the passages a document is compared by", async () => {
  const { path, remove } = temporaryFolder();
  const db = new Database(join(path, "a.db"));
  const readings = KEPT.map(([question, kept]) => readKept(question, kept, { passages: 100, holding: () => 3 }));
  const passages = ["The Gannet is blue.", "Nora orders no oil.", "There is soup."].map((text, at) =>
    found(at, ["Notes", text]),
  );
  const turns = { count: 0, isOver: false };
  const another = () => {
    turns.count += 1;
    if (!turns.isOver) setImmediate(another);
  };
  setImmediate(another);
  const nearest = await nearestThere(db, { passages, readings });
  turns.isOver = true;
  expect(turns.count).toBeGreaterThanOrEqual(readings.length * passages.length);
  expect(nearest).toEqual(work({ passages, readings }));
  await endThreads(db);
  db.close();
  remove();
});
