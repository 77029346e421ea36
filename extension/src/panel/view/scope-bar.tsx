import type { VNode } from "preact";
import { i18n } from "#i18n";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { hostOf } from "../../ui/wording.ts";
import { closedText } from "../pages/closed-text.ts";
import type { ShownTab } from "../pages/tabs.ts";
import type { Panel } from "../panel.ts";

/** What a question is about: two switches, and which page is meant, or why it cannot be. */
export function ScopeBar({ panel }: { readonly panel: Panel }): VNode {
  const { page, company } = panel.scope.value;
  return (
    <div class="scope" role="group" aria-label={i18n.t("panel.scope.label")}>
      <div class="switches">
        <Switch
          icon="page"
          label={i18n.t("panel.scope.page")}
          isOn={page}
          onChange={(isOn) => panel.setScope({ page: isOn, company: isOn ? company : true })}
        />
        <Switch
          icon="company"
          label={i18n.t("panel.scope.company")}
          isOn={company}
          onChange={(isOn) => panel.setScope({ page: isOn ? page : true, company: isOn })}
        />
      </div>
      {page ? (
        <ul class="tabs" aria-label={i18n.t("panel.scope.pages")}>
          {panel.tabs.value.map((tab) => (
            <li key={tab === panel.front.value ? "front" : tab.tabId}>
              <TabChip panel={panel} tab={tab} />
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
  readonly panel: Panel;
  readonly tab: ShownTab;
}

function TabChip({ panel, tab }: TabChipProps): VNode {
  const host = hostOf(tab.url);
  const name = tab.title.trim() || host || i18n.t("panel.scope.unnamed");
  const allow = i18n.t("panel.scope.allow", [host]);
  if (tab.closed !== undefined) {
    return (
      <div class="tab closed">
        <Icon name={tab.closed === "not-allowed" || tab.closed === "pdf-site" ? "lock" : "warning"} />
        <span class="tab-why">
          {tab.title === "" && tab.url === "" ? null : <strong dir="auto">{name}</strong>} {closedText(tab.closed)}
        </span>
        {tab.closed === "pdf-site" && tab.canAllow ? (
          <button type="button" class="quiet" onClick={() => panel.allow(tab)}>
            {allow}
          </button>
        ) : null}
      </div>
    );
  }
  const isSelection = tab.selected > 0 && tab === panel.front.value;
  return (
    <div class="tab">
      <Icon name="page" />
      <span class="tab-name" title={`${name}\n${tab.url}`} dir="auto">
        {name}
      </span>
      <span class={isSelection ? "tab-note strong" : "tab-note"}>
        {isSelection ? i18n.t("panel.scope.selection") : tab.isPdf ? i18n.t("panel.scope.pdf") : host}
      </span>
      {tab.canAllow ? <IconButton icon="allow" label={allow} onClick={() => panel.allow(tab)} /> : null}
      {panel.added.tabs.value.some(({ tabId }) => tabId === tab.tabId) ? (
        <IconButton
          icon="close"
          label={i18n.t("panel.scope.drop", [name])}
          onClick={() => panel.added.drop(tab.tabId)}
        />
      ) : (
        <IconButton icon="fresh" label={i18n.t("panel.scope.add", [name])} onClick={() => panel.added.add(tab)} />
      )}
    </div>
  );
}
