import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { closeNews, hasNews, KNOWN, NOTES_OF } from "../../news/news.ts";
import { watchPlace } from "../../storage/slots.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Line } from "../keep/line.tsx";
import { focusComposer } from "./composer.tsx";

/** What a person notices of this version, the most useful first. */
const NOTES = ["again", "site", "undo", "hanging", "differ"] as const;

/** Says once after an update that there is something new, in every window until it is closed in one; nothing otherwise. */
export function WhatsNew(): VNode | null {
  const isNews = useSignal(false);
  const isOpen = useSignal(false);
  useEffect(() => {
    const look = async () => void (isNews.value = await hasNews());
    watchPlace(KNOWN, () => void look());
    void look();
  }, []);
  if (!isNews.value) return null;
  return (
    <section class="news" aria-label={i18n.t("panel.news.what")}>
      <Line icon="thread" role="status" text={i18n.t("panel.news.updated", [NOTES_OF])}>
        <Button says="panel.news.what" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)} />
        <IconButton
          icon="close"
          label={i18n.t("panel.news.close")}
          onClick={() => {
            void closeNews();
            focusComposer();
          }}
        />
      </Line>
      {isOpen.value ? (
        <ul>
          {NOTES.map((note) => (
            <li key={note}>{i18n.t(`panel.news.${note}`)}</li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
