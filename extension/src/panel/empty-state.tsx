import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { Icon } from "./icons.tsx";
import { offeredOf } from "./offered.ts";
import type { ServiceAccess } from "./service-access.ts";

interface EmptyStateProps {
  readonly hasPage: boolean;
  readonly isPrivate: boolean;
  /** Undefined until it may be asked. */
  readonly service: Pick<ServiceAccess, "origin" | "writes"> | undefined;
  readonly onTry: (question: string) => void;
}

/** What the panel shows before anything was asked. Offers what this service can answer. */
export function EmptyState({ hasPage, isPrivate, service, onTry }: EmptyStateProps): VNode {
  const writes = useSignal(false);
  useEffect(() => {
    let isCurrent = true;
    void service?.writes().then((told) => isCurrent && (writes.value = told));
    return () => {
      isCurrent = false;
      writes.value = false;
    };
  }, [service?.origin]);
  const tries = offeredOf(hasPage, writes.value);
  return (
    <div class="empty">
      <span class="empty-mark">
        <Icon name="thread" />
      </span>
      <h2>{i18n.t("panel.empty.title")}</h2>
      <p>{i18n.t("panel.empty.what")}</p>
      {isPrivate ? <p>{i18n.t("panel.empty.private")}</p> : null}
      {tries.length === 0 ? null : (
        <ul>
          {tries.map((name) => (
            <li key={name}>
              <button type="button" class="suggestion" onClick={() => onTry(i18n.t(name))}>
                {i18n.t(name)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
