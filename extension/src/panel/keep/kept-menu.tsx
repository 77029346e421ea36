import { useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { shownTitle } from "../../outbox/outbox-entry.ts";
import { removeKept } from "../../outbox/revise.ts";
import { Icon } from "../../ui/icons.tsx";
import { momentOf } from "../../ui/wording.ts";
import { focusComposer } from "../view/composer.tsx";
import type { InMenu } from "../view/menu.tsx";
import { acted } from "./acting.ts";
import type { KeptView } from "./keep-view.ts";
import type { Keeping } from "./keeping.ts";
import type { Panel } from "../panel.ts";
import { keepersOf } from "../people/people-later.ts";
import { Later, nearAnswers } from "./later.tsx";
import { Sure } from "./sure.tsx";

interface KeptMenuProps extends InMenu {
  readonly panel: Panel;
  readonly kept: KeptView;
  readonly keeping: Keeping;
}

/** What can be done with the page in front, which is kept: noted on, kept as it is now, removed. */
export function KeptMenu({ kept: { since, changed, page }, keeping, panel, onClose }: KeptMenuProps): VNode {
  const others = useSignal("");
  const service = panel.service.value;
  const id = panel.people.value === undefined ? undefined : page?.serverDocumentId;
  useEffect(() => {
    if (service === undefined || id === undefined) return undefined;
    let isCurrent = true;
    void keepersOf(service, [id]).then((told) => isCurrent && (others.value = told.get(id) ?? ""));
    return () => (isCurrent = false);
  }, [service, id]);
  const isAsked = useSignal(false);
  const problem = useSignal("");
  const trash = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    // The question had the focus; whoever says no is where they came from.
    if (wasAsked.current && !isAsked.value) trash.current?.focus();
    wasAsked.current = isAsked.value;
  }, [isAsked.value]);
  const remove = async () => {
    if (page !== undefined) problem.value = await acted(() => removeKept(page.key));
    isAsked.value = false;
    if (problem.value !== "") return;
    onClose();
    focusComposer();
  };
  return (
    <>
      <section class="menu-part">
        {page === undefined ? null : <h2 dir="auto">{visibleText(shownTitle(page))}</h2>}
        <p class="muted">{i18n.t(changed === true ? "panel.keep.changed" : "panel.keep.kept", [momentOf(since)])}</p>
        {others.value === "" ? null : <p class="muted">{visibleText(others.value)}</p>}
        {problem.value === "" ? null : <p role="alert">{problem.value}</p>}
      </section>
      {service === undefined || id === undefined ? null : (
        <section class="menu-part">
          <Later part={nearAnswers} of={{ service, id }} />
        </section>
      )}
      <section class="menu-part">
        {isAsked.value ? (
          <Sure onYes={() => void remove()} onNo={() => (isAsked.value = false)} />
        ) : (
          <>
            {page === undefined ? null : (
              <button
                type="button"
                class="menu-action"
                onClick={() => {
                  onClose();
                  keeping.writing.value = page;
                }}
              >
                <Icon name="edit" />
                {i18n.t("panel.keep.describe")}
              </button>
            )}
            <button
              type="button"
              class="menu-action"
              onClick={() => {
                onClose();
                focusComposer();
                void keeping.keep(false);
              }}
            >
              <Icon name="again" />
              {i18n.t("panel.keep.refresh")}
            </button>
            {page === undefined ? null : (
              <button ref={trash} type="button" class="menu-action" onClick={() => (isAsked.value = true)}>
                <Icon name="trash" />
                {i18n.t("panel.kept.agree")}
              </button>
            )}
          </>
        )}
      </section>
    </>
  );
}
