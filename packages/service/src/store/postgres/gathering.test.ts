import { expect, it } from "vitest";
import { type Concern, Gathering } from "./gathering.ts";

interface Parcel {
  readonly name: string;
  readonly weight: number;
}

/** Writes what it is given, and notes what was written at one time; "bad" fails all it is written with. */
function writing(concern: Concern = "one") {
  const written: string[][] = [];
  let isAway = false;
  const gathering = new Gathering<Parcel, string>(
    async (parcels) => {
      await new Promise((resolve) => void setTimeout(resolve, 5));
      const names = parcels.map(({ name }) => name);
      written.push(names);
      if (isAway || names.includes("bad")) throw new Error("not written");
      return names.map((name) => (name === "refused" ? { refusal: new Error("refused") } : { result: `${name}!` }));
    },
    () => concern,
  );
  const write = (name: string, weight = 1): Promise<string> =>
    gathering.write({ name, weight }).catch((error: Error) => error.message);
  return { written, write, goAway: () => (isAway = true) };
}

it("what arrives while something is written is written together, and each is answered for itself", async () => {
  const { written, write } = writing();
  const first = write("a");
  await new Promise((resolve) => void setTimeout(resolve, 2));
  const others = ["b", "refused", "c"].map((name) => write(name));
  expect(await first).toBe("a!");
  expect(await Promise.all(others)).toEqual(["b!", "refused", "c!"]);
  expect(written).toEqual([["a"], ["b", "refused", "c"]]);
  expect(await write("later")).toBe("later!");
});

it("what is written with something that cannot be is written all the same", async () => {
  const { written, write } = writing();
  expect(await Promise.all(["a", "bad", "c"].map((name) => write(name)))).toEqual(["a!", "not written", "c!"]);
  expect(written).toEqual([["a", "bad", "c"], ["a"], ["bad"], ["c"]]);
});

it("nothing is tried again one by one where it is not the fault of one", async () => {
  const { written, write, goAway } = writing("these");
  goAway();
  const both = [write("a"), write("b")];
  await new Promise((resolve) => void setTimeout(resolve, 2));
  expect(await Promise.all([...both, write("c")])).toEqual(["not written", "not written", "not written"]);
  expect(written).toEqual([["a", "b"], ["c"]]);
});

it("whoever waits is told with the others that nobody is there to write it", async () => {
  const { written, write, goAway } = writing("everybody");
  goAway();
  const first = write("a");
  await new Promise((resolve) => void setTimeout(resolve, 2));
  expect(await Promise.all([first, write("b")])).toEqual(["not written", "not written"]);
  expect(written).toEqual([["a"]]);
});

it("so much is written at one time, and what is larger alone", async () => {
  const { written, write } = writing();
  await Promise.all([write("small"), write("huge", 5_000_000), write("x", 600_000), write("y", 600_000), write("z")]);
  expect(written).toEqual([["small"], ["huge"], ["x"], ["y", "z"]]);
  await Promise.all(Array.from({ length: 150 }, (_, at) => write(`${at}`)));
  expect(Math.max(...written.map((names) => names.length))).toBeLessThanOrEqual(64);
});
