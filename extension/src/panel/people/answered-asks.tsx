import { useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { Ask } from "@threadlore/client/models";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { Panel } from "../panel.ts";
import { focusComposer } from "../view/composer.tsx";
import { AnswerOf } from "./answer-of.tsx";
import { withAsks } from "./reaching.ts";

/** What people answered since the panel was open last: each once, until it is closed. */
export function AnsweredAsks({ panel }: { readonly panel: Panel }): VNode | null {
  const service = panel.service.value;
  const answered = useSignal<readonly Ask[]>([]);
  const untold = panel.people.value?.untold;
  useEffect(() => {
    if (service === undefined || untold === 0) return undefined;
    let isCurrent = true;
    const isNews = ({ state, is_told: isTold }: Ask) => !isTold && (state === "answered" || state === "dismissed");
    void withAsks(service, (asks) => asks.mine()).then(
      (asks) => isCurrent && (answered.value = asks.filter(isNews)),
      () => {},
    );
    return () => (isCurrent = false);
  }, [service, untold]);
  const close = ({ ask_id: id }: Ask) => {
    answered.value = answered.value.filter((one) => one.ask_id !== id);
    focusComposer();
    // Where it is not heard, it is news once more the next time.
    if (service !== undefined) void withAsks(service, (asks) => asks.told(id)).catch(() => {});
  };
  const [first, ...others] = answered.value;
  if (first === undefined) return null;
  return (
    <section class="people-news" aria-label={i18n.t("panel.people.answered")}>
      <div class="people-card" key={first.ask_id}>
        <div class="people-head">
          <p class="people-title" role="status">
            <Icon name="people" />
            <span>
              {i18n.t(first.state === "answered" ? "panel.people.answered" : "panel.people.notAnswered")}{" "}
              <q dir="auto">{visibleText(first.question)}</q>
            </span>
          </p>
          <IconButton icon="close" label={i18n.t("panel.people.close")} onClick={() => close(first)} />
        </div>
        <AnswerOf ask={first} />
        {others.length === 0 ? null : (
          <p class="muted">{i18n.t("panel.people.moreAnswered", others.length, [String(others.length)])}</p>
        )}
      </div>
    </section>
  );
}
