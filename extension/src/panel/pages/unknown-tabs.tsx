import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { Panel } from "../panel.ts";

interface UnknownTabsProps {
  readonly panel: Panel;
  readonly count: number;
}

/** Tabs of which browsers tell nothing, not even a title, before their sites are allowed; nothing where there are none. */
export function UnknownTabs({ panel, count }: UnknownTabsProps): VNode | null {
  if (count === 0) return null;
  const isPrivate = panel.isPrivate.value;
  return (
    <p class="unknown-tabs">
      <Icon name="lock" />
      <span>
        {i18n.t("panel.tabs.unknown", count)} {i18n.t(isPrivate ? "panel.tabs.openPrivate" : "panel.tabs.open")}
      </span>
      {isPrivate ? null : <Button says="panel.sites.allowAll" onClick={() => panel.allowAll()} />}
    </p>
  );
}
