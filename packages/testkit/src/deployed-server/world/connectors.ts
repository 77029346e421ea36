/** What a connector signs in with. */
export interface ConnectorCredential {
  id: number;
  name: string | null;
  source: string;
}

/** A connector with its credential. */
export interface ConnectorPair {
  id: number;
  name: string;
  connector: number;
  credential: number;
  access: "public" | "private" | "sync";
}

/** Connectors, their credentials, and which go together. Pair 1 is the one documents go to by default. */
export class Connectors {
  readonly connectors = [
    { id: 0, name: "IngestionAPI", source: "ingestion_api" },
    { id: 1, name: "Wiki", source: "web" },
    { id: 2, name: "Files", source: "file" },
    { id: 3, name: "Unused", source: "web" },
  ];
  readonly credentials: ConnectorCredential[] = [
    { id: 0, name: null, source: "not_applicable" },
    { id: 1, name: "Wiki reader", source: "web" },
    { id: 2, name: "Wiki reader 2", source: "web" },
    { id: 3, name: "Chat reader", source: "slack" },
    { id: 4, name: "Files", source: "file" },
  ];
  readonly pairs: ConnectorPair[] = [
    { id: 1, name: "DefaultCCPair", connector: 0, credential: 0, access: "public" },
    { id: 2, name: "Wiki", connector: 1, credential: 1, access: "public" },
    { id: 3, name: "Files", connector: 2, credential: 4, access: "private" },
  ];
}
