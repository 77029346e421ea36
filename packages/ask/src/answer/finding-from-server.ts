/** A finding as a server sends it -> as an answer carries it. */
import { isObject, string, textOf } from "./fields.ts";
import type { Finding, NamedDocument } from "./finding.ts";

/** More of a kind than anybody would read are left out, whatever a server sends. */
const MAX = { closest: 3, conflict: 10, corrected: 10 } as const;

/** The finding a server sent, however little of it is what it should be; undefined where there is none. */
export function findingOf(value: unknown): Finding | undefined {
  if (!isObject(value) || typeof value["state"] !== "string") return undefined;
  const { state } = value;
  const reason = textOf(value["reason"]);
  return {
    state,
    ...(reason === undefined ? {} : { reason }),
    closest: objectsOf(value["closest"], MAX.closest).map((one) => ({
      ...namedDocument(one),
      sentence: string(one["sentence"]),
    })),
    conflict: objectsOf(value["conflict"], MAX.conflict).map((one) => {
      const updatedAt = textOf(one["updated_at"]);
      return { ...namedDocument(one), ...(updatedAt === undefined ? {} : { updatedAt }), says: string(one["says"]) };
    }),
    corrected: objectsOf(value["corrected"], MAX.corrected).flatMap((one) => {
      const [written, read] = [textOf(one["written"]), textOf(one["read"])];
      return written === undefined || read === undefined ? [] : [{ written, read }];
    }),
  };
}

function objectsOf(value: unknown, most: number) {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isObject).slice(0, most) : [];
}

function namedDocument(fields: Readonly<Record<string, unknown>>): NamedDocument {
  const documentId = string(fields["document_id"]);
  const link = textOf(fields["link"]);
  const title = textOf(fields["title"]) ?? link ?? documentId;
  return { documentId, title, ...(link === undefined ? {} : { link }) };
}
