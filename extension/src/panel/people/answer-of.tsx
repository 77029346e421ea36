import { visibleText } from "@threadlore/ask";
import type { Ask } from "@threadlore/client/models";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { dayOf, shortened, webAddress } from "../../ui/wording.ts";

/** Characters of an answer that are shown where its source is one press away. */
const SHOWN = 280;

/** What became of an ask: how its answer begins and where it stands, or that there is none to be shown. */
export function AnswerOf({ ask: { state, answer } }: { readonly ask: Ask }): VNode {
  if (state === "dismissed") return <p class="muted">{i18n.t("panel.people.dismissed")}</p>;
  if (answer == null) return <p class="muted">{i18n.t("panel.people.hidden")}</p>;
  const link = webAddress(answer.link);
  const title = visibleText(answer.title).trim() || (link ?? answer.document_id);
  return (
    <>
      <p class="people-said" dir="auto">
        {shortened(visibleText(answer.beginning), SHOWN)}
      </p>
      <p class="people-source">
        {link === undefined ? (
          <span dir="auto">{title}</span>
        ) : (
          <a href={link} target="_blank" rel="noopener noreferrer" dir="auto">
            {title}
          </a>
        )}{" "}
        <span class="muted">{dayOf(answer.updated_at)}</span>
      </p>
    </>
  );
}
