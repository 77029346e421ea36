import type { Finding, NamedDocument } from "@threadlore/ask";

/** How the answer stands to the question, in the wire's own names; null where the server does not say. */
export function findingDocument(finding: Finding | undefined): object | null {
  if (finding === undefined) return null;
  const { state, reason, closest, conflict, corrected } = finding;
  const named = ({ documentId, title, link }: NamedDocument) => ({
    document_id: documentId,
    title,
    link: link ?? null,
  });
  return {
    state,
    reason: reason ?? null,
    closest: closest.map((one) => ({ ...named(one), sentence: one.sentence })),
    conflict: conflict.map((one) => ({ ...named(one), updated_at: one.updatedAt ?? null, says: one.says })),
    corrected,
  };
}
