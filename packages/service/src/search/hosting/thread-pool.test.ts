import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../service.harness.ts";
import { IndexFile } from "./index-file.ts";
import { ThreadPool } from "./thread-pool.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** A pool over an index without documents, and a module whose work ends its thread so many times. */
function pool(lives: number, most = 2) {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  const path = join(folder.path, "index.sqlite");
  new IndexFile(path).close();
  const threads = new ThreadPool(path, most);
  cleanups.push(() => threads.close());
  const place = (life: number): string => join(folder.path, `life-${life}`);
  for (let life = 0; life < lives; life++) writeFileSync(place(life), "");
  const file = join(folder.path, "dying.mjs");
  writeFileSync(
    file,
    `import { existsSync, rmSync } from "node:fs";
     export function work(given) {
       const left = ${JSON.stringify(Array.from({ length: lives }, (_, life) => place(life)))}.find(existsSync);
       if (given !== "deadly" || left === undefined) return given;
       rmSync(left);
       process.exit(3);
     }`,
  );
  return { threads, module: pathToFileURL(file) };
}

const QUERY = { text: "lift", filter: {}, limit: 5, budgetMs: 10_000, feedbackUpTo: 0 };

describe("threads over an index", () => {
  it("are asked once more where one dies, also what waited behind that", async () => {
    const { threads, module } = pool(1);
    const asked = ["deadly", "one", "two", "three"].map((given) => threads.run(module, given));
    expect(await Promise.all(asked)).toEqual(["deadly", "one", "two", "three"]);
    expect(await threads.search(QUERY)).toMatchObject({ passages: [], corpus: 0 });
  });

  it("answer searches and counts that waited for a thread that died", async () => {
    const { threads, module } = pool(1);
    const died = threads.run(module, "deadly");
    const rest = Promise.all([
      threads.run(module, "one"),
      threads.search(QUERY),
      threads.count(["lift"], undefined, 1_000),
    ]);
    expect(await died).toBe("deadly");
    expect(await rest).toMatchObject(["one", { corpus: 0 }, { corpus: 0 }]);
  });

  it("are not asked for ever: what ends two of them fails, and others are answered", async () => {
    const { threads, module } = pool(5);
    await expect(threads.run(module, "deadly")).rejects.toThrow("has ended");
    expect(await threads.run(module, "harmless")).toBe("harmless");
  });

  it("are not asked again for what is written: that has a way of its own", async () => {
    const { threads, module } = pool(1, 1);
    const read = threads.run(module, "deadly");
    const written = threads.write({ puts: [], removals: [], vectors: [], applied: 1 });
    await expect(written).rejects.toThrow("has ended");
    expect(await read).toBe("deadly");
  });
});
