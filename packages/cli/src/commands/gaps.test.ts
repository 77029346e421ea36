import { realpathSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { createGaps } from "@threadlore/client/gaps";
import { temporaryFolder } from "@threadlore/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Serving, startServing } from "../embedded/serving.ts";
import { deployed, personAt } from "../testing/deployed.ts";
import { type HereOptions, runHere } from "../testing/in-process.ts";

let serving: Serving;
let home: string;

beforeAll(async () => {
  home = realpathSync(temporaryFolder());
  serving = await startServing({ folder: join(home, ".local/share/threadlore"), port: 0, log: () => {} });
});
afterAll(() => serving.close());

const gaps = (args: readonly string[], options: Partial<HereOptions> = {}) =>
  runHere(["gaps", ...args], { home, ...options });

const KEY = "Where is the \u001b[2Jspare key of the boat house?";

/** Two gaps: one with words, that two people asked, and a private one. Numbers of both. */
async function noted(): Promise<[string, string]> {
  const server = createGaps({ baseUrl: serving.url, apiKey: serving.apiKey });
  const note = (ref: string, asker: string, question: string, isShared: boolean) =>
    server.note({ ref, asker, question, is_shared: isShared, reason: "nothing" });
  const { gap_id: one } = await note("q1", "ann", KEY, true);
  await note("q2", "bo", KEY, false);
  const { gap_id: other } = await note("q3", "cem", "Who signs the travel form for Norway?", false);
  return [String(one), String(other)];
}

describe("threadlore gaps", () => {
  it("says that there are none, and what that means", async () => {
    const { code, stdout, stderr } = await gaps([]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("They gather here as people ask");
    expect(JSON.parse((await gaps(["--json"])).stdout)).toEqual({ ok: true, gaps: [], more: false });
    expect((await gaps(["list", "--state", "closed"])).stderr).toContain("No gap is closed");
  });

  it("lists gaps by people, shows one, closes, dismisses, opens again and forgets", async () => {
    const [one, other] = await noted();
    const { code, stdout } = await gaps([]);
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(1, 3)).toEqual([
      expect.stringMatching(new RegExp(`^${one} +2 +2 +\\d{4}-\\d\\d-\\d\\d +Where is the \\[2Jspare key of the boat`)),
      expect.stringMatching(new RegExp(`^${other} +1 +1 +[-\\d]+ +\\(a private question\\)$`)),
    ]);
    expect(stdout).not.toContain("\u001b");
    expect((await gaps(["show", one])).stdout).toMatch(/^Questions +2, of which 1 private$/m);
    expect((await gaps(["show", other])).stdout).not.toContain("Norway");
    const { json } = { json: JSON.parse((await gaps(["list", "--json", "--most", "1"])).stdout) as object };
    expect(json).toMatchObject({ ok: true, gaps: [{ people: 2 }], more: true });

    const missing = await gaps(["close", one, "key"]);
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain("no such document");
    await createClient({ baseUrl: serving.url, apiKey: serving.apiKey }).ingest({
      document: {
        id: "key",
        semantic_identifier: "Key of the\u001b boat house",
        sections: [{ text: "It hangs behind the door." }],
        metadata: {},
      },
    });
    expect((await gaps(["close", one, "key"])).stderr).toContain(
      `Gap ${one} is closed by Key of the boat house (key).`,
    );
    expect((await gaps(["list", "--state", "closed"])).stdout).toMatch(/^\d+ +2 +2 +\S+ +Key of the boat house +key$/m);
    expect((await gaps(["show", one])).stdout).toMatch(/^Document +Key of the boat house \(key\)$/m);
    expect((await gaps(["reopen", one])).stderr).toContain(`Gap ${one} is open.`);
    expect((await gaps(["dismiss", other])).stderr).toContain(`Gap ${other} is dismissed.`);
    expect((await gaps(["forget"])).stderr).toContain("Give --question or --asker");
    expect((await gaps(["forget", "--question", "q1"])).code).toBe(0);
    expect((await gaps(["forget", "--asker", "bo"])).code).toBe(0);
    const gone = await gaps(["show", one]);
    expect(gone.code).not.toBe(0);
    expect(gone.stderr).toContain("There is no gap of this number");
    expect((await gaps(["show", "first"])).stderr).toContain("whole number");
  });

  it("lists every one there is, a page at a time, or so many", async () => {
    const server = createGaps({ baseUrl: serving.url, apiKey: serving.apiKey });
    const told = new Set<number>();
    // Some of these are alike.
    const rest = Array.from({ length: 230 }, (_, n) => n).values();
    const noteRest = async (): Promise<void> => {
      for (const n of rest) {
        const word = `${"bcdfghjklm"[n % 10]}a${"nprstvwzxy"[Math.floor(n / 10) % 10]}o${"bkd"[Math.floor(n / 100)]}`;
        const about = { ref: `m${n}`, asker: "dee", question: `${word}?`, is_shared: true };
        told.add((await server.note({ ...about, reason: "nothing" })).gap_id);
      }
    };
    await Promise.all(Array.from({ length: 16 }, noteRest));
    expect(told.size).toBeGreaterThan(205);
    const listed = async (...args: string[]) => {
      const { stdout } = await gaps(["list", "--json", ...args]);
      const { gaps: page, more } = JSON.parse(stdout) as { gaps: { gap_id: number }[]; more: boolean };
      const numbers = page.map(({ gap_id: id }) => id);
      expect(new Set(numbers).size).toBe(numbers.length);
      return { numbers, more };
    };
    const all = await listed("--all");
    expect(all.more).toBe(false);
    expect(all.numbers).toEqual(expect.arrayContaining([...told]));
    expect(await listed("--most", "203")).toEqual({ numbers: all.numbers.slice(0, 203), more: true });
    expect(await listed("--most", "10000")).toEqual(all);
    expect((await gaps([])).stderr).toContain("There are more: `--all` shows every one.");
  });

  it("says of a server that keeps none that it does not", async () => {
    const person = await personAt(await deployed());
    const { code, stderr } = await person.run(["gaps"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("This server keeps no gaps");
  });
});
