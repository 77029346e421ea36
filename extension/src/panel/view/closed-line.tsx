import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Icon } from "../../ui/icons.tsx";
import { hostOf } from "../../ui/wording.ts";
import { closedText } from "../pages/closed-text.ts";
import type { Panel } from "../panel.ts";
import { isLocked } from "./scope.tsx";

/** Why the page in front cannot be asked about, and what can be done; nothing to see where it can, or is not wanted. */
export function ClosedLine({ panel }: { readonly panel: Panel }): VNode | null {
  const front = panel.front.value;
  if (!panel.scope.value.page || front?.closed === undefined) return null;
  const canAllow = isLocked(front) && front.canAllow;
  return (
    <p class="tab closed">
      <Icon name={isLocked(front) ? "lock" : "warning"} />
      <span class="tab-why">{closedText(front.closed)}</span>
      {canAllow ? (
        <button type="button" class="link" onClick={() => panel.allow(front)}>
          {i18n.t("panel.scope.allow", [hostOf(front.url)])}
        </button>
      ) : null}
    </p>
  );
}
