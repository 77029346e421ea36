import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { type OutboxEntry, shownTitle } from "../../outbox/outbox-entry.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";

interface UndoLineProps {
  readonly entry: OutboxEntry;
  /** The page is not the one in front. */
  readonly isOther?: boolean;
  readonly onUndo: () => void;
  /** Opens its title and tags; absent where that is offered elsewhere. */
  readonly onWrite?: () => void;
}

/** A page that is about to be kept, or removed, and how long that can be taken back. */
export function UndoLine({ entry, isOther = false, onUndo, onWrite }: UndoLineProps): VNode {
  const { sendAfter, removal } = entry;
  const left = useSignal(secondsUntil(sendAfter));
  useEffect(() => {
    left.value = secondsUntil(sendAfter);
    const timer = setInterval(() => (left.value = secondsUntil(sendAfter)), 500);
    return () => clearInterval(timer);
  }, [sendAfter]);
  return (
    <p class="keep-line roomy">
      <Icon name={removal === undefined ? "keep" : "trash"} />
      <span>
        {isOther ? <strong dir="auto">{visibleText(shownTitle(entry))} </strong> : null}
        <span class="visually-hidden" role="status">
          {i18n.t(removal === undefined ? "panel.keep.undoHint" : "panel.keep.removeHint")}
        </span>
        <span aria-hidden="true">
          {i18n.t(removal === undefined ? "panel.keep.inSeconds" : "panel.keep.removedIn", left.value)}
        </span>
      </span>
      {onWrite === undefined || removal !== undefined ? null : <Button says="panel.keep.describe" onClick={onWrite} />}
      <Button says="panel.keep.undo" onClick={onUndo} />
    </p>
  );
}

const secondsUntil = (moment: number): number => Math.max(0, Math.ceil((moment - Date.now()) / 1_000));
