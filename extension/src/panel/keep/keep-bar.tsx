import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { ConsentCard } from "./consent-card.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { OutboxEntry } from "../../outbox/outbox-entry.ts";
import { openSettings } from "../../ui/open-pages.ts";
import type { Keeping } from "./keeping.ts";
import { Line } from "./line.tsx";
import { problemText } from "./keep-text.ts";
import { momentOf } from "../../ui/wording.ts";

interface KeepingProps {
  readonly keeping: Keeping;
}

/** What becomes of the page in front: nothing to see while there is nothing to say. */
export function KeepBar({ keeping }: KeepingProps): VNode | null {
  const view = keeping.view.value;
  switch (view.state) {
    case "absent":
    case "offered":
      return null;
    case "reading":
      return (
        <Line class="keep-line" role="status" text={i18n.t("panel.keep.reading")}>
          {view.canStop ? <Button says="panel.keep.stop" onClick={() => keeping.stopReading()} /> : null}
        </Line>
      );
    case "sent":
      return <Line class="keep-line" role="status" icon="kept" text={i18n.t("panel.keep.sent")} />;
    case "consent":
      // Another page is another card: nothing pressed for the one before stays pressed.
      return <ConsentCard key={view.consent.id} consent={view.consent} keeping={keeping} />;
    case "undo":
      return <UndoLine entry={view.entry} keeping={keeping} />;
    case "queued": {
      const { key, problem } = view.entry;
      const text = problem === undefined ? i18n.t("panel.keep.sending") : problemText(problem);
      return (
        <Line class="keep-line" role="status" icon="keep" text={text}>
          <Button says="panel.keep.undo" onClick={() => void keeping.takeBack(key)} />
        </Line>
      );
    }
    case "unconfirmed": {
      const { key } = view.entry;
      return (
        <Line class="keep-line roomy" role="status" icon="keep" text={i18n.t("panel.keep.unconfirmed")}>
          <Button says="panel.backlog.now" onClick={() => void keeping.sendNow(key)} />
          <Button says="panel.keep.discard" onClick={() => void keeping.takeBack(key)} />
        </Line>
      );
    }
    case "stopped":
      return (
        <div class="notice" role="group" aria-label={i18n.t("panel.keep.stopped")}>
          <p class="notice-title">
            <Icon name="warning" />
            {i18n.t("panel.keep.stopped")}
          </p>
          <p>{problemText(view.entry.problem)}</p>
          <StoppedActions entry={view.entry} keeping={keeping} />
        </div>
      );
    case "kept": {
      const { since, changed } = view;
      if (changed !== true && !keeping.isTold.value) return null;
      const day = momentOf(since);
      return (
        <Line
          class="keep-line kept"
          icon="kept"
          text={i18n.t(changed === true ? "panel.keep.changed" : "panel.keep.kept", [day])}
        >
          {changed === false ? null : (
            <Button
              says="panel.keep.refresh"
              class={changed === true ? "primary" : "quiet"}
              onClick={() => void keeping.keep(false)}
            />
          )}
        </Line>
      );
    }
    case "refused":
      return (
        <Line class="keep-line" role="status" icon="warning" text={view.message}>
          <Button says="panel.failure.again" onClick={() => void keeping.keep(false)} />
        </Line>
      );
  }
}

interface EntryProps extends KeepingProps {
  readonly entry: OutboxEntry;
}

/** @param isOther of a page that is not the one in front */
function UndoLine({ entry, isOther = false, keeping }: EntryProps & { readonly isOther?: boolean }): VNode {
  const { key, title, sendAfter } = entry;
  const left = useSignal(secondsUntil(sendAfter));
  useEffect(() => {
    left.value = secondsUntil(sendAfter);
    const timer = setInterval(() => (left.value = secondsUntil(sendAfter)), 500);
    return () => clearInterval(timer);
  }, [sendAfter]);
  return (
    <p class="keep-line">
      <Icon name="keep" />
      <span>
        {isOther ? <strong dir="auto">{visibleText(title)} </strong> : null}
        <span class="visually-hidden" role="status">
          {i18n.t("panel.keep.undoHint")}
        </span>
        <span aria-hidden="true">{i18n.t("panel.keep.inSeconds", left.value)}</span>
      </span>
      <Button says="panel.keep.undo" onClick={() => void keeping.takeBack(key)} />
    </p>
  );
}

/** Pages of other tabs that can still be taken back: whatever was clicked, and wherever the person is by now. */
export function UndoBar({ keeping }: KeepingProps): VNode {
  return (
    <>
      {keeping.undoable.value.map((entry) => (
        <UndoLine key={entry.key} entry={entry} isOther keeping={keeping} />
      ))}
    </>
  );
}

const secondsUntil = (moment: number): number => Math.max(0, Math.ceil((moment - Date.now()) / 1_000));

function StoppedActions({ entry: { key }, keeping }: EntryProps): VNode {
  return (
    <div class="actions">
      <Button says="panel.failure.again" class="primary" onClick={() => void keeping.sendNow(key)} />
      <Button says="panel.keep.discard" onClick={() => void keeping.takeBack(key)} />
      <Button says="panel.failure.settings" onClick={openSettings} />
    </div>
  );
}

/** What waits to be sent, when it does not go out by itself; nothing to see otherwise. */
export function BacklogBar({ keeping }: KeepingProps): VNode | null {
  const { waiting, unconfirmed, stopped, isPaused, since, problem } = keeping.backlog.value;
  const isStuck = waiting > 0 && problem !== undefined;
  if (stopped.length === 0 && !isPaused && !isStuck && unconfirmed === 0) return null;
  const age = since === undefined ? "" : i18n.t("panel.backlog.since", [momentOf(since)]);
  const sendNow = <Button says="panel.backlog.now" onClick={() => void keeping.sendNow()} />;
  return (
    <section class="backlog" aria-label={i18n.t("panel.backlog.title")}>
      {isPaused ? (
        <Line icon="lock" text={i18n.t("panel.backlog.paused", waiting)}>
          <Button says="panel.failure.settings" class="primary" onClick={openSettings} />
        </Line>
      ) : isStuck ? (
        <Line icon="keep" text={`${i18n.t("panel.backlog.waiting", waiting)} ${age} ${problemText(problem)}`}>
          {sendNow}
        </Line>
      ) : unconfirmed > 0 ? (
        <Line icon="keep" text={i18n.t("panel.backlog.unconfirmed", unconfirmed)}>
          {sendNow}
        </Line>
      ) : null}
      {stopped.map((entry) => (
        <div key={entry.key} class="backlog-stopped">
          <p>
            <strong dir="auto">{visibleText(entry.title)}</strong> {problemText(entry.problem)}
          </p>
          <StoppedActions entry={entry} keeping={keeping} />
        </div>
      ))}
    </section>
  );
}
