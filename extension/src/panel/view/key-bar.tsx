import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { openSettings } from "../../ui/open-pages.ts";
import { Line } from "../keep/line.tsx";
import type { Keeping } from "../keep/keeping.ts";
import type { Panel } from "../panel.ts";

interface KeyBarProps {
  readonly panel: Panel;
  /** Says it already where pages wait for another key. */
  readonly keeping: Keeping;
}

/** Says that the key is not known any more, as soon as the service says so; nothing to see otherwise. */
export function KeyBar({ panel, keeping }: KeyBarProps): VNode | null {
  if (panel.standing.value?.failure?.code !== "auth" || keeping.backlog.value.isPaused) return null;
  return (
    <section class="backlog" aria-label={i18n.t("panel.failure.key")}>
      <Line icon="lock" text={i18n.t("panel.key.gone")} role="status">
        <Button says="panel.failure.settings" class="primary" onClick={openSettings} />
      </Line>
    </section>
  );
}
