/** How alike two vectors of length 1 are, -1 to 1; null for vectors of different models. */
export function similarity(one: Uint8Array, other: Uint8Array): number | null {
  if (one.byteLength !== other.byteLength) return null;
  const [a, b] = [floatsOf(one), floatsOf(other)];
  let sum = 0;
  for (const [index, value] of a.entries()) sum += value * (b[index] ?? 0);
  return sum;
}

function floatsOf(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
