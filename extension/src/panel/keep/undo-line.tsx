import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { type OutboxEntry, shownTitle } from "../../outbox/outbox-entry.ts";
import { Icon } from "../../ui/icons.tsx";
import { countOf } from "../../ui/wording.ts";

interface UndoLineProps {
  readonly entry: OutboxEntry;
  /** The page is not the one in front. */
  readonly isOther?: boolean;
  readonly onUndo: () => void;
  /** Opens its title, tags and note; absent where that is offered elsewhere. */
  readonly onWrite?: () => void;
}

/** A page that is about to be kept, or removed, and how long that can be taken back. */
export function UndoLine({ entry, isOther = false, onUndo, onWrite }: UndoLineProps): VNode {
  const { sendAfter, removal } = entry;
  const left = useSecondsUntil(sendAfter);
  return (
    <p class={isOther ? "keep-line roomy" : "keep-line undo-line"}>
      <Icon name={removal === undefined ? "keep" : "trash"} />
      <span>
        {isOther ? <strong dir="auto">{visibleText(shownTitle(entry))} </strong> : null}
        <span class="visually-hidden" role="status">
          {i18n.t(removal === undefined ? "panel.keep.undoHint" : "panel.keep.removeHint")}
        </span>
        <span aria-hidden="true">
          {i18n.t(removal === undefined ? "panel.keep.inSeconds" : "panel.keep.removedIn", left)}
        </span>
      </span>
      {onWrite === undefined || removal !== undefined ? null : (
        <button type="button" class="quiet describe" title={i18n.t("panel.keep.describe")} onClick={onWrite}>
          <Icon name="edit" />
          <span>{i18n.t("panel.keep.describe")}</span>
        </button>
      )}
      <UndoButton label={i18n.t("panel.keep.undo")} onUndo={onUndo} />
    </p>
  );
}

interface UndoAllLineProps {
  readonly count: number;
  /** When the first of them is sent, milliseconds since 1970. */
  readonly sendAfter: number;
  readonly onUndo: () => void;
  readonly children: ComponentChildren;
}

/** Many pages that are about to be kept, and how long all of them can be taken back. */
export function UndoAllLine({ count, sendAfter, onUndo, children }: UndoAllLineProps): VNode {
  const left = useSecondsUntil(sendAfter);
  return (
    <p class="keep-line roomy">
      <Icon name="keep" />
      <span>
        <span class="visually-hidden" role="status">
          {i18n.t("panel.keep.undoAllHint", [countOf(count)])}
        </span>
        <span aria-hidden="true">{i18n.t("panel.keep.allInSeconds", [countOf(count), String(left)])}</span>
      </span>
      {children}
      <UndoButton label={i18n.t("panel.keep.undoAll")} onUndo={onUndo} />
    </p>
  );
}

/** In words, and a picture where there is no room for them. */
function UndoButton({ label, onUndo }: Pick<UndoLineProps, "onUndo"> & { readonly label: string }): VNode {
  return (
    <button type="button" class="quiet undo" title={label} onClick={onUndo}>
      <Icon name="undo" />
      <span>{label}</span>
    </button>
  );
}

/** Counts down to a moment. */
function useSecondsUntil(moment: number): number {
  const left = useSignal(secondsUntil(moment));
  useEffect(() => {
    left.value = secondsUntil(moment);
    const timer = setInterval(() => (left.value = secondsUntil(moment)), 500);
    return () => clearInterval(timer);
  }, [moment]);
  return left.value;
}

const secondsUntil = (moment: number): number => Math.max(0, Math.ceil((moment - Date.now()) / 1_000));
