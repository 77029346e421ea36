import { useComputed, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { hostOf } from "../../ui/wording.ts";
import { watchAllowed } from "../../settings/permissions.ts";
import type { Panel } from "../panel.ts";
import { MAX_ASKED } from "./added-tabs.ts";
import { closedText } from "./closed-text.ts";
import { windowTabs } from "./front-tab.ts";
import type { ShownTab } from "./tabs.ts";
import { UnknownTabs } from "./unknown-tabs.tsx";

/** Chooses which tabs of the window are asked beside the one in front. */
export function TabPicker({ panel }: { readonly panel: Panel }): VNode | null {
  const tabs = useSignal<readonly ShownTab[]>([]);
  useEffect(() => {
    const look = () => void windowTabs().then((found) => (tabs.value = found));
    const left = new AbortController();
    look();
    watchAllowed(look, left.signal);
    return () => left.abort();
  }, [panel.front.value?.tabId]);
  const asked = useComputed(() => new Set(panel.tabs.value.map(({ tabId }) => tabId)));
  const front = panel.front.value?.tabId;
  // Those that were added and are in another window by now.
  const gone = panel.added.tabs.value.filter(({ tabId }) => !tabs.value.some((tab) => tab.tabId === tabId));
  const others = [...tabs.value, ...gone].filter(({ tabId }) => tabId !== front);
  const shown = others.filter(({ url }) => url !== "");
  const readable = shown.filter(({ closed }) => closed === undefined);
  const isFull = asked.value.size >= MAX_ASKED;
  if (others.length === 0) return null;
  return (
    <section class="menu-part picker" aria-label={i18n.t("panel.tabs.title")}>
      <h2>{i18n.t("panel.tabs.title")}</h2>
      <ul>
        {shown.map((tab) => {
          const isAsked = asked.value.has(tab.tabId);
          return (
            <li key={tab.tabId}>
              <label>
                <input
                  type="checkbox"
                  checked={isAsked}
                  disabled={!isAsked && (tab.closed !== undefined || isFull)}
                  onChange={() => (isAsked ? panel.added.drop(tab.tabId) : panel.added.add(tab))}
                />
                <span>
                  <span dir="auto">{visibleText(tab.title.trim() || tab.url)}</span>{" "}
                  <span class="muted">{tab.closed === undefined ? hostOf(tab.url) : closedText(tab.closed)}</span>
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {isFull ? <p class="muted">{i18n.t("panel.tabs.most", [String(MAX_ASKED)])}</p> : null}
      {readable.length < 2 || isFull ? null : (
        <Button says="panel.tabs.all" onClick={() => readable.forEach((tab) => panel.added.add(tab))} />
      )}
      <UnknownTabs panel={panel} count={others.length - shown.length} />
    </section>
  );
}
