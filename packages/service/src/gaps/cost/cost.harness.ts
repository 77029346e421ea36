import { join } from "node:path";
import { seededRandom, temporaryFolder } from "@threadlore/testkit";
import { createService } from "../../index.ts";

const KEY = "tl_TEST_instances";
const SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to vu wa xe yi zo".split(" ");
/** As many as one caller may tell of in a minute, with some to spare. */
const IN_A_MINUTE = 1_000;

/** Nothing else goes on in this thread meanwhile. */
async function ownTimeOf(work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Milliseconds of this thread's own time that noting a question takes over HTTP, from the request to its reply, each of so many
 * `measured` ones beside so many of others that are noted `before`; in a database on the disk, from low to high.
 */
export async function costsOfNoting(before: number, measured: number): Promise<number[]> {
  let now = Date.parse("2026-11-27T12:00:00Z");
  const database = join(temporaryFolder(), "threadlore.db");
  const service = createService({ database, apiKey: KEY, now: () => now });
  const random = seededRandom(7);
  const word = (): string =>
    Array.from({ length: 3 }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? "").join("");
  const note = async (index: number): Promise<void> => {
    if (index % IN_A_MINUTE === 0) now += 60_000;
    const question = {
      ref: `question ${index}`,
      asker: `asker ${index % 50}`,
      question: `Where do I find the ${word()} ${word()} for the ${word()} of ${word()}?`,
      is_shared: index % 2 === 0,
      reason: "nothing",
    };
    const reply = await service.fetch(
      new Request("http://127.0.0.1:8411/gaps/questions", {
        method: "POST",
        headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
        body: JSON.stringify(question),
      }),
    );
    if (!reply.ok) throw new Error(`Not noted: ${await reply.text()}`);
  };
  try {
    // Many at a time share what the disk takes.
    const first = Array.from({ length: before }, (_, index) => index).values();
    const noteFirst = async (): Promise<void> => {
      for (const index of first) await note(index);
    };
    await Promise.all(Array.from({ length: 16 }, noteFirst));
    const costs: number[] = [];
    for (let index = before; index < before + measured; index += 1) costs.push(await ownTimeOf(() => note(index)));
    return costs.toSorted((one, other) => one - other);
  } finally {
    await service.close();
  }
}
