import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { Icon } from "../../ui/icons.tsx";
import type { ServiceAccess } from "../connection/service-access.ts";

/** Beside a heading that says nothing by itself. */
export function EmptyState({
  hasPage,
  isPrivate,
  service,
  onTry,
}: {
  readonly hasPage: boolean;
  readonly isPrivate: boolean;
  /** Undefined until it may be asked. */
  readonly service: ServiceAccess | undefined;
  readonly onTry: (question: string) => void;
}): VNode {
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
      {isPrivate ? <p>{i18n.t("panel.empty.private")}</p> : null}
      <ul>
        {tries.value.map((text) => (
          <li key={text}>
            <button type="button" class="suggestion" onClick={() => onTry(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
