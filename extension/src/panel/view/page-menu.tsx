import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Icon } from "../../ui/icons.tsx";
import { countOf, hostOf } from "../../ui/wording.ts";
import { closedText } from "../pages/closed-text.ts";
import { isAllowed, type ShownTab } from "../pages/tabs.ts";
import { TabPicker } from "../pages/tab-picker.tsx";
import type { Panel } from "../panel.ts";
import type { InMenu } from "./menu.tsx";
import { nameOf } from "./scope.tsx";

interface PageMenuProps extends InMenu {
  readonly panel: Panel;
}

/** Which part of the page in front is asked, which other tabs go along, and whether its site may always be read. */
export function PageMenu({ panel, onClose }: PageMenuProps): VNode {
  const front = panel.front.value;
  return (
    <>
      {front === undefined ? <p class="muted">{i18n.t("panel.scope.none")}</p> : <Front panel={panel} tab={front} />}
      <Pin panel={panel} front={front} />
      <TabPicker panel={panel} />
      <section class="menu-part">
        <button
          type="button"
          class="menu-action"
          onClick={() => {
            onClose();
            void panel.keepTabs();
          }}
        >
          <Icon name="keep" />
          {i18n.t("panel.keepTabs.open")}
        </button>
      </section>
    </>
  );
}

interface TabProps {
  readonly panel: Panel;
  readonly tab: ShownTab;
}

function Front({ panel, tab }: TabProps): VNode {
  const [name, host] = [nameOf(tab), hostOf(tab.url)];
  return (
    <section class="menu-part">
      <h2 dir="auto">{name || i18n.t("panel.scope.unnamed")}</h2>
      {host === "" || host === name ? null : <p class="muted">{host}</p>}
      {tab.closed === undefined ? null : <p>{closedText(tab.closed)}</p>}
      {tab.closed === undefined && (tab.selected > 0 || panel.selection.isChosen.value) ? (
        <Part panel={panel} tab={tab} />
      ) : null}
      <Always panel={panel} tab={tab} />
    </section>
  );
}

/** The whole page, or what is marked on it. */
function Part({ panel, tab }: TabProps): VNode {
  const parts = [
    {
      isWhole: false,
      text: i18n.t("panel.scope.selectionOnly", [countOf(tab.selected || panel.selection.said.value.length)]),
    },
    { isWhole: true, text: i18n.t("panel.scope.whole") },
  ];
  return (
    <fieldset class="menu-choice">
      <legend class="visually-hidden">{i18n.t("panel.scope.part")}</legend>
      {parts.map(({ isWhole, text }) => (
        <label key={text}>
          <input
            type="radio"
            name="part"
            checked={panel.selection.isChosen.value !== isWhole}
            onChange={() => (isWhole ? panel.selection.whole() : panel.selection.choose())}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** Whether the site may be read without a click each time; it can be taken back where it was given. */
function Always({ panel, tab }: TabProps): VNode | null {
  const isOn = isAllowed(tab);
  if (!tab.canAllow && !isOn) return null;
  return (
    <label class="menu-switch">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        onClick={(event) => {
          // The browser asks first: what it says is what is shown.
          event.preventDefault();
          panel.allow(tab, !isOn);
        }}
      />
      <span>{tab.access === "all" ? i18n.t("panel.sites.all") : i18n.t("panel.scope.allow", [hostOf(tab.url)])}</span>
    </label>
  );
}

/** Whether the tab in front goes along whichever will be. */
function Pin({ panel, front }: { readonly panel: Panel; readonly front: ShownTab | undefined }): VNode {
  const isAdded = front !== undefined && panel.added.tabs.value.some(({ tabId }) => tabId === front.tabId);
  return (
    <section class="menu-part">
      {front === undefined || front.closed !== undefined ? null : isAdded ? (
        <button type="button" class="menu-action" onClick={() => panel.added.drop(front.tabId)}>
          <Icon name="pinned" />
          {i18n.t("panel.scope.unpin")}
        </button>
      ) : (
        <button type="button" class="menu-action" onClick={() => panel.added.add(front)}>
          <Icon name="pin" />
          {i18n.t("panel.scope.pin")}
        </button>
      )}
    </section>
  );
}
