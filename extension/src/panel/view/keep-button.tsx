import type { VNode } from "preact";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { momentOf } from "../../ui/wording.ts";
import type { Keeping } from "../keep/keeping.ts";

/** Keeps the page in front, by one press from anywhere; says by its picture whether it is kept already. */
export function KeepButton({ keeping }: { readonly keeping: Keeping }): VNode {
  const view = keeping.view.value;
  switch (view.state) {
    case "offered": {
      const label = i18n.t(view.isSelection ? "panel.keep.offerSelection" : "panel.keep.offer");
      return <IconButton icon="keep" label={label} onClick={() => void keeping.keep(view.isSelection)} />;
    }
    case "kept":
      return (
        <IconButton
          icon="kept"
          class="icon-button on"
          label={i18n.t(view.changed === true ? "panel.keep.changed" : "panel.keep.kept", [momentOf(view.since)])}
          aria-expanded={keeping.isTold.value || view.changed === true}
          onClick={() => (keeping.isTold.value = !keeping.isTold.value)}
        />
      );
    case "absent":
      return <IconButton icon="keep" label={i18n.t("panel.keep.offer")} disabled />;
    default:
      // What becomes of it stands above the question.
      return <IconButton icon="keep" class="icon-button on" label={i18n.t("panel.keep.going")} disabled />;
  }
}
