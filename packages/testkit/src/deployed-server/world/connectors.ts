/** Connectors, their credentials, and which go together. Pair 1 is the one documents go to by default. */
export class Connectors {
  readonly connectors = [
    { id: 0, name: "IngestionAPI", source: "ingestion_api" },
    { id: 1, name: "Wiki", source: "web" },
    { id: 2, name: "Files", source: "file" },
    { id: 3, name: "Unused", source: "web" },
  ];
  /** What connectors sign in with. */
  readonly credentials = [
    { id: 0, name: null as string | null, source: "not_applicable" },
    { id: 1, name: "Wiki reader", source: "web" },
    { id: 2, name: "Wiki reader 2", source: "web" },
    { id: 3, name: "Chat reader", source: "slack" },
    { id: 4, name: "Files", source: "file" },
  ];
  readonly pairs = [
    { id: 1, name: "DefaultCCPair", connector: 0, credential: 0, access: "public" as "public" | "private" | "sync" },
    { id: 2, name: "Wiki", connector: 1, credential: 1, access: "public" },
    { id: 3, name: "Files", connector: 2, credential: 4, access: "private" },
  ];
}
