import { placeOfServer } from "@threadlore/postgres/trouble";

/** Where a truth in PostgreSQL is, as people are told: without user and password. */
export function placeOfTruth(url: string): string {
  return `PostgreSQL ${placeOfServer(url)}`;
}
