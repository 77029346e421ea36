import type { ComponentType, VNode } from "preact";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { momentOf } from "../../ui/wording.ts";
import type { KeptView } from "../keep/keep-view.ts";
import type { Keeping } from "../keep/keeping.ts";
import type { Panel } from "../panel.ts";
import { type InMenu, useMenu } from "./menu.tsx";

interface KeepButtonProps {
  readonly panel: Panel;
  readonly keeping: Keeping;
  /** Loads what opens of a kept page. */
  readonly keptMenu: () => Promise<ComponentType<InKeptMenu & InMenu>>;
}

/**
 * Keeps the page in front, by one press from anywhere. Of a page that is kept it opens what can be done with it: a press
 * never keeps or removes anything there by itself.
 */
export function KeepButton({ panel, keeping, keptMenu }: KeepButtonProps): VNode {
  const view = keeping.view.value;
  switch (view.state) {
    case "offered": {
      const label = i18n.t(view.isSelection ? "panel.keep.offerSelection" : "panel.keep.offer");
      return <IconButton icon="keep" label={label} onClick={() => void keeping.keep(view.isSelection)} />;
    }
    case "kept":
      return <KeptButton kept={view} panel={panel} keeping={keeping} keptMenu={keptMenu} />;
    case "absent":
      return <IconButton icon="keep" label={i18n.t("panel.keep.offer")} disabled />;
    default:
      // What becomes of it stands above the question.
      return <IconButton icon="keep" class="icon-button on" label={i18n.t("panel.keep.going")} disabled />;
  }
}

interface InKeptMenu {
  readonly panel: Panel;
  readonly kept: KeptView;
  readonly keeping: Keeping;
}

function KeptButton({ kept, panel, keeping, keptMenu }: InKeptMenu & KeepButtonProps): VNode {
  const { place, button, menu } = useMenu<InKeptMenu>(i18n.t("panel.keep.menu"), keptMenu);
  const { since, changed } = kept;
  return (
    <span ref={place}>
      <IconButton
        icon="kept"
        class="icon-button on"
        label={i18n.t(changed === true ? "panel.keep.changed" : "panel.keep.kept", [momentOf(since)])}
        {...button}
      />
      {menu({ kept, panel, keeping })}
    </span>
  );
}
