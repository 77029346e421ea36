import type { ReadonlySignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { Backlog } from "../keep/keep-view.ts";
import type { KeyStanding } from "../connection/standing.ts";

interface KeyBarProps {
  /** Undefined until the service has said it. */
  readonly standing: ReadonlySignal<KeyStanding | undefined>;
  /** Says it already where pages wait for another key. */
  readonly backlog: ReadonlySignal<Backlog>;
  readonly onSettings: () => void;
}

/** Says that the key is not known any more, as soon as the service says so; nothing to see otherwise. */
export function KeyBar({ standing, backlog, onSettings }: KeyBarProps): VNode | null {
  if (standing.value?.failure?.code !== "auth" || backlog.value.isPaused) return null;
  return (
    <section class="backlog" aria-label={i18n.t("panel.failure.key")}>
      <p role="status">
        <Icon name="lock" />
        <span>{i18n.t("panel.key.gone")}</span>
        <Button text={i18n.t("panel.failure.settings")} class="primary" onClick={onSettings} />
      </p>
    </section>
  );
}
