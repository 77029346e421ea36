import type { Keepers } from "@threadlore/client/models";
import { i18n } from "#i18n";
import { countOf, momentOf } from "../../ui/wording.ts";
import type { ServiceAccess } from "../connection/service-access.ts";
import { createAsks } from "@threadlore/client/asks";

/** Most pages that are asked about at once, as the service takes them. */
const MAX_TOGETHER = 100;

/**
 * What is to be said of who else keeps pages, by the ids the service gave these; nothing where nobody does, and where the
 * service does not tell. Never throws.
 */
export async function keepersOf(service: ServiceAccess, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  for (let at = 0; at < ids.length; at += MAX_TOGETHER) {
    const some = ids.slice(at, at + MAX_TOGETHER);
    const found = await service
      .reach((options) => createAsks(options).keepers(some), "ingestKey")
      .catch((): readonly Keepers[] | undefined => undefined);
    if (found === undefined) return told;
    for (const keepers of found) if (keepers.others > 0) told.set(keepers.document_id, keepersText(keepers));
  }
  return told;
}

function keepersText({ others, names, updated_by_others_at: updated }: Keepers): string {
  const unnamed = others - names.length;
  const who =
    names.length === 0
      ? i18n.t("panel.people.keepers", others, [countOf(others)])
      : unnamed > 0
        ? i18n.t("panel.people.keepersNamedAnd", unnamed, [names.join(", "), countOf(unnamed)])
        : i18n.t("panel.people.keepersNamed", [names.join(", ")]);
  return updated == null ? who : `${who} · ${i18n.t("panel.people.updatedByOthers", [momentOf(updated)])}`;
}
