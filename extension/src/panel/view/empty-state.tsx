import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { Icon } from "../../ui/icons.tsx";
import type { Panel } from "../panel.ts";

interface EmptyStateProps {
  readonly panel: Panel;
  readonly hasPage: boolean;
}

/** Beside a heading that says nothing by itself. */
export function EmptyState({ panel, hasPage }: EmptyStateProps): VNode {
  const service = panel.service.value;
  const tries = useSignal<readonly string[]>([]);
  const origin = service?.origin;
  useEffect(() => {
    let isCurrent = true;
    void service?.offered(hasPage).then((offered) => isCurrent && (tries.value = offered.map((name) => i18n.t(name))));
    return () => {
      isCurrent = false;
      tries.value = [];
    };
  }, [origin, hasPage]);
  return (
    <div class="empty">
      <span class="empty-mark">
        <Icon name="thread" />
      </span>
      <h2>{i18n.t("panel.empty.title")}</h2>
      <p>{i18n.t("panel.empty.what")}</p>
      {panel.isPrivate.value ? <p>{i18n.t("panel.empty.private")}</p> : null}
      <ul>
        {tries.value.map((text) => (
          <li key={text}>
            {/* What is offered speaks of the page, and means all of it. */}
            <button type="button" class="suggestion" onClick={() => panel.ask(text, { selection: false })}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
