import { useSignal } from "@preact/signals";
import { Fragment, type VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type KeptAdditions, NO_ADDITIONS } from "../../keep/additions.ts";
import { forgetWritten } from "../adding/written.ts";
import type { Consent } from "./keep-view.ts";
import { additionsForm, Later } from "./later.tsx";
import type { Keeping } from "./keeping.ts";
import { focusComposer } from "../view/composer.tsx";
import { countOf } from "../../ui/wording.ts";

interface ConsentCardProps {
  readonly consent: Consent;
  readonly keeping: Keeping;
}

/** A page that is kept only when a person says so, having seen what would be sent. */
export function ConsentCard({ consent, keeping }: ConsentCardProps): VNode {
  const card = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => title.current?.focus(), []);
  const { additions } = consent;
  const isWriting = useSignal(false);
  const answer = (agreed: boolean) => {
    forgetWritten(consent.key);
    void keeping.consent(consent.id, agreed).then(focusComposer);
  };
  const written = () => {
    isWriting.value = false;
    title.current?.focus();
  };
  const target = consent.target === "" ? i18n.t("panel.consent.defaultPair") : consent.target;
  return (
    <section
      ref={card}
      class="consent"
      aria-labelledby="consent-title"
      onKeyDown={(event) => {
        if (event.key === "Escape") answer(false);
      }}
    >
      <h2 id="consent-title" ref={title} tabIndex={-1}>
        <Icon name="lock" />
        {i18n.t("panel.consent.title")}
      </h2>
      <ul class="reasons">
        {consent.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <dl>
        <dt>{i18n.t("panel.consent.page")}</dt>
        <dd dir="auto">{visibleText(additions?.title ?? consent.title)}</dd>
        {addedTo(additions).map(([name, text]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd dir="auto" class="added">
              {visibleText(text)}
            </dd>
          </Fragment>
        ))}
        <dt>{i18n.t("panel.consent.host")}</dt>
        <dd>{consent.host}</dd>
        <dt>{i18n.t("panel.consent.size")}</dt>
        <dd>{i18n.t("panel.consent.characters", [countOf(consent.characters)])}</dd>
        <dt>{i18n.t("panel.consent.target")}</dt>
        <dd>
          {visibleText(target)}
          {consent.isPublic ? ` · ${i18n.t("panel.consent.public")}` : ""}
        </dd>
      </dl>
      <blockquote dir="auto">{visibleText(consent.beginning)}</blockquote>
      {isWriting.value ? (
        <Later
          part={additionsForm}
          of={{
            pageKey: consent.key,
            title: consent.title,
            additions,
            onDone: (given: KeptAdditions) => void keeping.describe(consent.id, given),
            onEnd: written,
          }}
        />
      ) : null}
      <div class="actions">
        <Button
          says="panel.consent.agree"
          class="primary"
          onClick={({ detail }) => {
            // The second click of a double click was meant for whatever was here before.
            if (detail > 1) return;
            // What is being written is meant to go along: nobody presses two buttons for one page.
            card.current?.querySelector("form")?.requestSubmit();
            answer(true);
          }}
        />
        <Button says="panel.consent.decline" onClick={() => answer(false)} />
        {isWriting.value ? null : <Button says="panel.keep.describe" onClick={() => (isWriting.value = true)} />}
      </div>
    </section>
  );
}

/** What goes along beside the page and its title, each with its name. */
function addedTo({ tags, note = "", highlights }: KeptAdditions = NO_ADDITIONS): (readonly [
  name: string,
  text: string,
])[] {
  const marked = highlights.map(({ text }) => text);
  const all = [
    [i18n.t("panel.added.tags"), tags.join(" · ")],
    [i18n.t("panel.added.note"), note],
    [i18n.t("panel.added.highlights"), marked.join("\n")],
  ] as const;
  return all.filter(([, text]) => text !== "");
}
