import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { hostOf } from "../../ui/wording.ts";
import { consentReasonText, refusalText } from "../keep/keep-text.ts";
import { UnknownTabs } from "../pages/unknown-tabs.tsx";
import type { Panel } from "../panel.ts";
import { type TabRow, TabsToKeep } from "./tabs-to-keep.ts";

interface KeepTabsProps {
  readonly panel: Panel;
  readonly onClose: () => void;
}

/** The tabs of the window as one list to agree to: those that look private have to be chosen. */
export function KeepTabs({ panel, onClose }: KeepTabsProps): VNode {
  const tabs = useMemo(() => new TabsToKeep(panel.views.peek()?.keeping), []);
  const title = useRef<HTMLHeadingElement>(null);
  const failure = useSignal("");
  useLayoutEffect(() => {
    title.current?.focus();
    return () => tabs.leave();
  }, []);
  const rows = tabs.rows.value;
  const chosen = rows.filter(({ entry, isChosen }) => entry !== undefined && isChosen).length;
  const read = rows.filter(({ entry, why }) => entry !== undefined || why !== undefined).length;
  const keep = async () => {
    const why = await tabs.keep();
    if (why === undefined) onClose();
    else failure.value = refusalText(why);
  };
  return (
    <main
      class="keep-tabs"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <h2 ref={title} tabIndex={-1}>
        {i18n.t("panel.keepTabs.title")}
      </h2>
      <p class="muted">{i18n.t("panel.keepTabs.what")}</p>
      {tabs.audience.value.map((reason) => (
        <p key={reason} class="keep-tabs-audience">
          <Icon name="warning" />
          {consentReasonText(reason)}
        </p>
      ))}
      <ul>
        {rows.map((row) => (
          <TabLine key={row.tab.tabId} row={row} onChoose={(isOn) => tabs.choose(row.tab.tabId, isOn)} />
        ))}
      </ul>
      <UnknownTabs panel={panel} count={tabs.unknown.value} />
      <p role="status" class="muted">
        {tabs.isReading.value ? i18n.t("panel.keepTabs.reading", [String(read), String(rows.length)]) : failure.value}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          disabled={chosen === 0 || tabs.isReading.value}
          onClick={({ detail }) => {
            // The second click of a double click was meant for whatever was here before.
            if (detail < 2) void keep();
          }}
        >
          {i18n.t("panel.keepTabs.agree", chosen)}
        </button>
        <Button says="panel.keepTabs.cancel" onClick={onClose} />
      </div>
    </main>
  );
}

interface TabLineProps {
  readonly row: TabRow;
  readonly onChoose: (isChosen: boolean) => void;
}

function TabLine({ row, onChoose }: TabLineProps): VNode {
  const { tab, entry, why, reasons, isKept, isChosen } = row;
  const notes = [
    ...(why === undefined ? [] : [refusalText(why)]),
    ...(isKept ? [i18n.t("panel.keepTabs.kept")] : []),
    ...reasons.map(consentReasonText),
  ];
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={entry === undefined}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
        <span>
          <span dir="auto">{visibleText(entry?.title ?? (tab.title.trim() || tab.url))}</span>{" "}
          <span class="muted">{hostOf(tab.url)}</span>
          {notes.map((note) => (
            <span key={note} class="keep-tabs-note">
              {note}
            </span>
          ))}
        </span>
      </label>
    </li>
  );
}
