import { visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { hostOf, shortened } from "../../ui/wording.ts";
import type { Panel } from "../panel.ts";
import { isAllowed, type ShownTab } from "../pages/tabs.ts";
import { useMenu } from "./menu.tsx";

/** Characters of a page's title that are read aloud with its button; its menu has all of it. */
const SPOKEN = 80;

interface PanelProps {
  readonly panel: Panel;
}

/** What a question is about, inside the box it is written in: the page, with its menu, and the company. */
export function ScopeChips({ panel }: PanelProps): VNode {
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

function Highlight({ panel }: PanelProps): VNode | null {
  const keeping = panel.views.value?.keeping;
  if (keeping === undefined || panel.setup.value !== "ready") return null;
  const label = i18n.t("panel.scope.highlight");
  return (
    <button type="button" class="switch" aria-label={label} title={label} onClick={() => void keeping.mark()}>
      <Icon name="mark" />
    </button>
  );
}

const pageMenu = () => import("../tabs-opened.ts").then(({ tabsOpened }) => tabsOpened.PageMenu);

/**
 * The page that goes along: its name opens its menu, which says which part of it, which others, and what may always be
 * read; the cross leaves it out. Left out, there is one button, which takes it along again.
 */
function PageChip({ panel }: PanelProps): VNode {
  const { page } = panel.scope.value;
  const label = i18n.t("panel.scope.menu");
  const { place, button, menu } = useMenu<PanelProps>(label, pageMenu);
  const front = panel.front.value;
  const { icon, text, note } = chipOf(panel, front);
  if (!page) {
    const add = i18n.t("panel.scope.add");
    return (
      <span ref={place} class="page-chip" data-on={false}>
        <button
          type="button"
          class="switch page"
          aria-label={add}
          title={add}
          onClick={() => panel.setScope({ ...panel.scope.peek(), page: true })}
        >
          <Icon name="fresh" />
          <span class="tab-name">{i18n.t("panel.scope.page")}</span>
        </button>
      </span>
    );
  }
  const drop = i18n.t("panel.scope.drop");
  return (
    <span ref={place} class="page-chip" data-on={true}>
      <button
        type="button"
        class="switch page"
        aria-label={`${label}: ${shortened(text, SPOKEN)}`}
        title={front === undefined ? i18n.t("panel.scope.page") : `${front.title}\n${front.url}`.trim()}
        {...button}
      >
        <Icon name={icon} />
        <span class="tab-name" dir="auto">
          {text}
        </span>
        {note === "" ? null : <span class="tab-note">{note}</span>}
        <Icon name="more" />
      </button>
      <button
        type="button"
        class="switch drop"
        aria-label={drop}
        title={drop}
        onClick={() => {
          panel.setScope({ page: false, company: true });
          // The cross goes with the page.
          place.current?.querySelector<HTMLElement>(".page")?.focus();
        }}
      >
        <Icon name="close" />
      </button>
      {menu({ panel })}
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

/** What a tab is called; its host where it has no title that is seen; "" where the browser tells nothing. */
export const nameOf = (tab: ShownTab | undefined): string =>
  tab === undefined ? "" : visibleText(tab.title).trim() || hostOf(tab.url);
