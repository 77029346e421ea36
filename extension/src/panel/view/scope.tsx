import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { hostOf } from "../../ui/wording.ts";
import type { Panel } from "../panel.ts";
import { isAllowed, type ShownTab } from "../pages/tabs.ts";

type Menu = typeof import("./page-menu.tsx").PageMenu;

/** What a question is about, inside the box it is written in: the page, with its menu, and the company. */
export function ScopeChips({ panel }: { readonly panel: Panel }): VNode {
  const { page, company } = panel.scope.value;
  return (
    <div class="scope" role="group" aria-label={i18n.t("panel.scope.label")}>
      <PageChip panel={panel} />
      {page && panel.selection.isOffered.value ? (
        <span class="selection-offer">
          <button type="button" class="switch" onClick={() => panel.selection.choose()}>
            {i18n.t("panel.scope.askSelection")}
          </button>
          <Highlight panel={panel} />
        </span>
      ) : null}
      <button
        type="button"
        role="switch"
        class="switch company"
        aria-checked={company}
        aria-label={i18n.t("panel.scope.company")}
        title={i18n.t("panel.scope.company")}
        onClick={() => panel.setScope({ page: company ? true : page, company: !company })}
      >
        <Icon name="company" />
        <span>{i18n.t("panel.scope.companyShort")}</span>
      </button>
    </div>
  );
}

function Highlight({ panel }: { readonly panel: Panel }): VNode | null {
  const keeping = panel.views.value?.keeping;
  if (keeping === undefined || panel.setup.value !== "ready") return null;
  const label = i18n.t("panel.scope.highlight");
  return (
    <button type="button" class="switch" aria-label={label} title={label} onClick={() => void keeping.mark()}>
      <Icon name="mark" />
    </button>
  );
}

/** One press switches the page on and off; its menu says which part of it, which others, and what may always be read. */
function PageChip({ panel }: { readonly panel: Panel }): VNode {
  const { page, company } = panel.scope.value;
  const menu = useSignal<Menu | undefined>(undefined);
  const isOpen = useSignal(false);
  const place = useRef<HTMLSpanElement>(null);
  const front = panel.front.value;
  const { icon, text, note } = chipOf(panel, front);
  const name = i18n.t("panel.scope.page");
  const shown = page ? text : name;
  const open = async () => {
    if (isOpen.value) return void (isOpen.value = false);
    // Loaded with the first look into it.
    menu.value ??= (await import("./page-menu.tsx")).PageMenu;
    isOpen.value = true;
  };
  const PageMenu = menu.value;
  return (
    <span ref={place} class="page-chip" data-on={page}>
      <button
        type="button"
        role="switch"
        class="switch page"
        aria-checked={page}
        aria-label={shown === name ? name : `${name}: ${shown}`}
        title={front === undefined ? name : `${front.title}\n${front.url}`.trim()}
        onClick={() => panel.setScope({ page: !page, company: page ? true : company })}
      >
        <Icon name={page ? icon : "page"} />
        <span class="tab-name" dir="auto">
          {shown}
        </span>
        {page && note !== "" ? <span class="tab-note">{note}</span> : null}
      </button>
      <button
        type="button"
        class="switch more"
        aria-label={i18n.t("panel.scope.menu")}
        title={i18n.t("panel.scope.menu")}
        aria-haspopup="dialog"
        aria-expanded={isOpen.value}
        onClick={() => void open()}
      >
        <Icon name="more" />
      </button>
      {isOpen.value && PageMenu !== undefined ? (
        <PageMenu panel={panel} anchor={place} onClose={() => (isOpen.value = false)} />
      ) : null}
    </span>
  );
}

interface ChipText {
  readonly icon: IconName;
  readonly text: string;
  /** What else goes along, or which part of it alone; "" for nothing to say. */
  readonly note: string;
}

function chipOf(panel: Panel, front: ShownTab | undefined): ChipText {
  const others = panel.tabs.value.filter((tab) => tab !== front && tab.closed === undefined).length;
  const more = others === 0 ? "" : `+${others}`;
  const text = nameOf(front) || i18n.t("panel.scope.page");
  if (front === undefined) return { icon: "page", text, note: more };
  if (front.closed !== undefined) {
    return { icon: isLocked(front) ? "lock" : "warning", text, note: more };
  }
  const isSelection = panel.selection.isChosen.value;
  const kind = isSelection ? i18n.t("panel.scope.selectionShort") : front.isPdf ? i18n.t("panel.scope.pdf") : "";
  // The site may be read for good, which is to be seen at a glance.
  return { icon: isAllowed(front) ? "allowed" : "page", text, note: [kind, more].filter(Boolean).join(" ") };
}

/** Whether a page is only waiting to be let in. */
export const isLocked = ({ closed }: ShownTab): boolean => closed === "not-allowed" || closed === "pdf-site";

/** What a tab is called; "" where the browser tells nothing. */
export const nameOf = (tab: ShownTab | undefined): string =>
  tab === undefined ? "" : tab.title.trim() || hostOf(tab.url);
