import type { Answer } from "./answer.ts";

/**
 * What is shown where there is no answer yet: status `waiting`, everything else empty, as `emptyAnswer` gives it. Comes
 * without what makes an answer of packets, for pages that load that later.
 */
export const NO_ANSWER: Answer = Object.freeze({
  status: "waiting",
  text: "",
  preambles: [],
  blocks: [],
  citations: [],
  sources: [],
  steps: [],
  conversation: {},
  skippedPackets: 0,
});
