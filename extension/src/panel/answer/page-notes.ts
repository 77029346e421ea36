import { i18n } from "#i18n";
import type { TurnPage } from "../ask/turn.ts";

/** One line on what a person sees on a page and could not be read; none where that is nothing. */
export function notReadNote({ title, notRead = [] }: TurnPage): string[] {
  if (notRead.length === 0) return [];
  const parts = notRead.map((part) => i18n.t(`panel.page.parts.${part}`));
  return [i18n.t("panel.page.notRead", [title, parts.join(i18n.t("panel.page.parts.and"))])];
}
