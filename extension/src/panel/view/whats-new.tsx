import { useSignal } from "@preact/signals";
import type { ComponentType, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { closeNews, hasNews, KNOWN, NOTES_OF } from "../../news/news.ts";
import { watchPlace } from "../../storage/slots.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Line } from "../keep/line.tsx";
import { focusComposer } from "./composer.tsx";

/** Says once after an update that there is something new, in every window until it is closed in one; nothing otherwise. */
export function WhatsNew(): VNode | null {
  const isNews = useSignal(false);
  /** What is new, where the person wants to read it: loaded then. */
  const notes = useSignal<{ readonly Notes: ComponentType } | undefined>(undefined);
  useEffect(() => {
    const look = async () => void (isNews.value = await hasNews());
    watchPlace(KNOWN, () => void look());
    void look();
  }, []);
  if (!isNews.value) return null;
  const read = async () =>
    void (notes.value = notes.value === undefined ? await import("./news-notes.tsx") : undefined);
  return (
    <section class="news" aria-label={i18n.t("panel.news.what")}>
      <Line icon="thread" role="status" text={i18n.t("panel.news.updated", [NOTES_OF])}>
        <Button says="panel.news.what" aria-expanded={notes.value !== undefined} onClick={() => void read()} />
        <IconButton
          icon="close"
          label={i18n.t("panel.news.close")}
          onClick={() => {
            void closeNews();
            focusComposer();
          }}
        />
      </Line>
      {notes.value === undefined ? null : <notes.value.Notes />}
    </section>
  );
}
