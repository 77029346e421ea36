import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { ChosenTabs, Closed, ShownTab } from "../pages/tabs.ts";
import type { Scope } from "../ask/turn.ts";
import { hostOf } from "../../ui/wording.ts";

interface ScopeBarProps {
  readonly scope: Scope;
  readonly tabs: ChosenTabs;
  readonly onScope: (scope: Scope) => void;
  readonly onAdd: (tab: ShownTab) => void;
  readonly onDrop: (tabId: number) => void;
  readonly onAllow: (tab: ShownTab) => void;
}

/** What a question is about: two switches, and which page is meant, or why it cannot be. */
export function ScopeBar({ scope, tabs, onScope, onAdd, onDrop, onAllow }: ScopeBarProps): VNode {
  const { front, added } = tabs;
  const others = added.filter(({ tabId }) => tabId !== front?.tabId);
  return (
    <div class="scope" role="group" aria-label={i18n.t("panel.scope.label")}>
      <div class="switches">
        <Switch
          icon="page"
          label={i18n.t("panel.scope.page")}
          isOn={scope.page}
          onChange={(page) => onScope({ page, company: page ? scope.company : true })}
        />
        <Switch
          icon="company"
          label={i18n.t("panel.scope.company")}
          isOn={scope.company}
          onChange={(company) => onScope({ page: company ? scope.page : true, company })}
        />
      </div>
      {scope.page ? (
        <ul class="tabs" aria-label={i18n.t("panel.scope.pages")}>
          {front === undefined ? null : (
            <li>
              <TabChip
                tab={front}
                isAdded={added.some(({ tabId }) => tabId === front.tabId)}
                onAdd={() => onAdd(front)}
                onDrop={() => onDrop(front.tabId)}
                onAllow={() => onAllow(front)}
              />
            </li>
          )}
          {others.map((tab) => (
            <li key={tab.tabId}>
              <TabChip
                tab={tab}
                isAdded={true}
                isOther={true}
                onDrop={() => onDrop(tab.tabId)}
                onAllow={() => onAllow(tab)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

interface SwitchProps {
  readonly icon: "page" | "company";
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Switch({ icon, label, isOn, onChange }: SwitchProps): VNode {
  return (
    <button type="button" role="switch" class="switch" aria-checked={isOn} onClick={() => onChange(!isOn)}>
      <Icon name={icon} />
      {label}
    </button>
  );
}

interface TabChipProps {
  readonly tab: ShownTab;
  readonly isAdded: boolean;
  /** Not the tab in front. */
  readonly isOther?: boolean;
  readonly onAdd?: () => void;
  readonly onDrop: () => void;
  readonly onAllow: () => void;
}

function TabChip({ tab, isAdded, isOther = false, onAdd, onDrop, onAllow }: TabChipProps): VNode {
  const name = tab.title.trim() || hostOf(tab.url) || i18n.t("panel.scope.unnamed");
  if (tab.closed !== undefined) return <ClosedTab name={name} tab={tab} closed={tab.closed} onAllow={onAllow} />;
  const kind = tab.isPdf ? i18n.t("panel.scope.pdf") : hostOf(tab.url);
  const note = tab.selected > 0 && !isOther ? i18n.t("panel.scope.selection") : kind;
  return (
    <div class="tab">
      <Icon name="page" />
      <span class="tab-name" title={`${name}\n${tab.url}`} dir="auto">
        {name}
      </span>
      <span class={tab.selected > 0 && !isOther ? "tab-note strong" : "tab-note"}>{note}</span>
      {tab.canAllow ? (
        <IconButton icon="allow" label={i18n.t("panel.scope.allow", [hostOf(tab.url)])} onClick={onAllow} />
      ) : null}
      {isAdded ? (
        <IconButton icon="close" label={i18n.t("panel.scope.drop", [name])} onClick={onDrop} />
      ) : onAdd === undefined ? null : (
        <IconButton icon="fresh" label={i18n.t("panel.scope.add", [name])} onClick={onAdd} />
      )}
    </div>
  );
}

interface ClosedTabProps {
  readonly name: string;
  readonly tab: ShownTab;
  readonly closed: Closed;
  readonly onAllow: () => void;
}

function ClosedTab({ name, tab, closed, onAllow }: ClosedTabProps): VNode {
  return (
    <div class="tab closed">
      <Icon name={closed === "not-allowed" || closed === "pdf-site" ? "lock" : "warning"} />
      <span class="tab-why">
        {tab.title === "" && tab.url === "" ? null : <strong dir="auto">{name}</strong>} {closedText(closed)}
      </span>
      {closed === "pdf-site" && tab.canAllow ? (
        <Button text={i18n.t("panel.scope.allow", [hostOf(tab.url)])} onClick={onAllow} />
      ) : null}
    </div>
  );
}

/** Why a page cannot be read, and what to do. */
export function closedText(closed: Closed): string {
  return i18n.t(CLOSED_WORDS[closed]);
}

const CLOSED_WORDS = {
  "not-allowed": "panel.closed.notAllowed",
  "browser-page": "panel.closed.browserPage",
  "extension-page": "panel.closed.browserPage",
  denied: "panel.closed.denied",
  "no-text": "panel.closed.noText",
  gone: "panel.closed.gone",
  slow: "panel.closed.slow",
  "pdf-unread": "panel.closed.pdf",
  "pdf-damaged": "panel.closed.pdfDamaged",
  "pdf-scanned": "panel.closed.pdfScanned",
  "pdf-encrypted": "panel.closed.pdfEncrypted",
  "pdf-too-large": "panel.closed.pdfTooLarge",
  "pdf-site": "panel.closed.pdfSite",
} as const satisfies Record<Closed, string>;

interface IconButtonProps {
  readonly icon: Parameters<typeof Icon>[0]["name"];
  readonly label: string;
  readonly onClick: () => void;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
}

/** A button that is only a picture; `label` says what it does. */
export function IconButton({ icon, label, onClick, isPressed, isDisabled = false }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
