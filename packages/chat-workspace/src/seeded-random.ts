/** Numbers in [0, 1) that are the same for the same seed on every machine: a xorshift generator of 32 bits. */
export function seededRandom(seed: number): () => number {
  // Small seeds differ in few bits; the multiplication spreads them, and the generator must never stand at zero.
  let state = Math.imul(seed | 0, 0x9e3779b1) || 0x2545f491;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}
