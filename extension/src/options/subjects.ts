/** Keys of what a diagnosis looks at, by what it calls it. */
export const SUBJECTS = {
  "base URL": "options.finding.address",
  clock: "options.finding.clock",
  ingestion: "options.finding.ingest",
  key: "options.finding.key",
  memory: "options.finding.memory",
  pair: "options.finding.pair",
  "permission to ask": "options.finding.ask",
  server: "options.finding.server",
  storage: "options.finding.store",
  streaming: "options.finding.stream",
  "who sees what is ingested": "options.finding.audience",
} as const;
