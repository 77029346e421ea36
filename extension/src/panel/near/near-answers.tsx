import { useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { NearKept } from "@threadlore/client/models";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { shortened, webAddress } from "../../ui/wording.ts";
import type { ServiceAccess } from "../connection/service-access.ts";
import { changedBy, nearTo } from "./near.ts";

/** Characters of a sentence that are shown: a page may have one without an end. */
const SHOWN = 280;

interface OfPage {
  readonly service: ServiceAccess;
  /** The id the service gave the page. */
  readonly id: string;
}

/** Kept answers that a page may change, to be said by whoever has read both. Nothing to see while there is none. */
export function NearAnswers({ onClose, ...page }: OfPage & { readonly onClose?: () => void }): VNode | null {
  const { service, id } = page;
  const near = useSignal<readonly NearKept[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void nearTo(service, id).then((found) => isCurrent && (near.value = found));
    return () => (isCurrent = false);
  }, [service, id]);
  if (near.value.length === 0) return null;
  const title = i18n.t("panel.near.title");
  return (
    <section class="people-card near" aria-label={title}>
      <div class="people-head">
        <p class="people-title" role="status">
          <Icon name="people" />
          <span>{title}</span>
        </p>
        {onClose === undefined ? null : (
          <IconButton icon="close" label={i18n.t("panel.people.close")} onClick={onClose} />
        )}
      </div>
      <ul>
        {near.value.map((answer) => (
          <li key={answer.document_id} class="people-row">
            <Near answer={answer} {...page} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Near({ answer, service, id }: OfPage & { readonly answer: NearKept }): VNode {
  const state = useSignal<"" | "sending" | "asked" | "failed">("");
  const told = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    told.current?.scrollIntoView({ block: "nearest" });
    // The button that was pressed is gone.
    if (state.value === "asked") told.current?.focus();
  }, [state.value]);
  const change = async () => {
    if (state.value === "sending") return;
    state.value = "sending";
    state.value = (await changedBy(service, answer, id)) ? "asked" : "failed";
  };
  const link = webAddress(answer.link);
  const question = visibleText(answer.question);
  return (
    <>
      <p class="people-question" dir="auto">
        {link === undefined ? (
          question
        ) : (
          <a href={link} target="_blank" rel="noopener noreferrer">
            {question}
          </a>
        )}
      </p>
      <Said by={i18n.t("panel.near.answer")} words={answer.kept_says} />
      <Said by={i18n.t("panel.near.page")} words={answer.says} />
      {state.value === "asked" ? (
        <p class="near-asked" role="status" tabIndex={-1} ref={told}>
          <Icon name="check" />
          <span>{i18n.t("panel.near.asked")}</span>
        </p>
      ) : (
        <>
          <button type="button" class="quiet" onClick={() => void change()}>
            {i18n.t("panel.near.changes")}
            <span class="visually-hidden"> {question}</span>
          </button>
          {state.value === "failed" ? (
            <p class="people-problem" role="alert" ref={told}>
              {i18n.t("panel.near.failed")}
            </p>
          ) : null}
        </>
      )}
    </>
  );
}

/** A sentence, and whose it is. */
function Said({ by, words }: { readonly by: string; readonly words: string }): VNode {
  return (
    <p class="near-said">
      <span class="muted">{by}</span> <q dir="auto">{shortened(visibleText(words), SHOWN)}</q>
    </p>
  );
}
