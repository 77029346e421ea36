import type { VNode } from "preact";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { momentOf } from "../../ui/wording.ts";
import type { KeptView } from "../keep/keep-view.ts";
import type { Keeping } from "../keep/keeping.ts";
import { useMenu } from "./menu.tsx";

interface KeepButtonProps {
  readonly keeping: Keeping;
}

/**
 * Keeps the page in front, by one press from anywhere. Of a page that is kept it opens what can be done with it: a press
 * never keeps or removes anything there by itself.
 */
export function KeepButton({ keeping }: KeepButtonProps): VNode {
  const view = keeping.view.value;
  switch (view.state) {
    case "offered": {
      const label = i18n.t(view.isSelection ? "panel.keep.offerSelection" : "panel.keep.offer");
      return <IconButton icon="keep" label={label} onClick={() => void keeping.keep(view.isSelection)} />;
    }
    case "kept":
      return <KeptButton kept={view} keeping={keeping} />;
    case "absent":
      return <IconButton icon="keep" label={i18n.t("panel.keep.offer")} disabled />;
    default:
      // What becomes of it stands above the question.
      return <IconButton icon="keep" class="icon-button on" label={i18n.t("panel.keep.going")} disabled />;
  }
}

const keptMenu = () => import("../keep/kept-menu.tsx").then(({ KeptMenu }) => KeptMenu);

interface KeptButtonProps extends KeepButtonProps {
  readonly kept: KeptView;
}

function KeptButton({ kept, keeping }: KeptButtonProps): VNode {
  const { place, button, menu } = useMenu<KeptButtonProps>(i18n.t("panel.keep.menu"), keptMenu);
  const { since, changed } = kept;
  return (
    <span ref={place}>
      <IconButton
        icon="kept"
        class="icon-button on"
        label={i18n.t(changed === true ? "panel.keep.changed" : "panel.keep.kept", [momentOf(since)])}
        {...button}
      />
      {menu({ kept, keeping })}
    </span>
  );
}
