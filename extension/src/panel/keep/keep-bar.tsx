import type { ReadonlySignal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { ConsentCard } from "./consent-card.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { Backlog, KeepView, Undoable } from "./keep-view.ts";
import { problemText } from "./problem-text.ts";
import { momentOf } from "../../ui/wording.ts";

/** What a person can do about keeping the page in front. */
export interface KeepActions {
  /** Keeps the page, or what is marked of it. */
  readonly onKeep: (selection: boolean) => void;
  readonly onStopReading: () => void;
  readonly onConsent: (id: string, agreed: boolean) => void;
  readonly onTakeBack: (key: string) => void;
  readonly onSendNow: (key?: string) => void;
  readonly onSettings: () => void;
}

interface KeepBarProps extends KeepActions {
  readonly keeping: ReadonlySignal<KeepView>;
}

/** The page in front and the company's knowledge: keep it, take it back, or since when it is there. */
export function KeepBar({ keeping, ...actions }: KeepBarProps): VNode | null {
  const view = keeping.value;
  switch (view.state) {
    case "absent":
      return null;
    case "offered":
      return (
        <button type="button" class="keep" onClick={() => actions.onKeep(view.isSelection)}>
          <Icon name="keep" />
          {i18n.t(view.isSelection ? "panel.keep.offerSelection" : "panel.keep.offer")}
        </button>
      );
    case "reading":
      return (
        <p class="keep-line" role="status">
          <span>{i18n.t("panel.keep.reading")}</span>
          {view.canStop ? <Button text={i18n.t("panel.keep.stop")} onClick={actions.onStopReading} /> : null}
        </p>
      );
    case "sent":
      return (
        <p class="keep-line" role="status">
          <Icon name="kept" />
          <span>{i18n.t("panel.keep.sent")}</span>
        </p>
      );
    case "consent":
      // Another page is another card: nothing pressed for the one before stays pressed.
      return (
        <ConsentCard
          key={view.consent.id}
          consent={view.consent}
          onConsent={(agreed) => actions.onConsent(view.consent.id, agreed)}
        />
      );
    case "undo":
      return <UndoLine until={view.until} onTakeBack={() => actions.onTakeBack(view.key)} />;
    case "queued":
      return (
        <p class="keep-line" role="status">
          <Icon name="keep" />
          <span>{view.problem === undefined ? i18n.t("panel.keep.sending") : problemText(view.problem)}</span>
          <Button text={i18n.t("panel.keep.undo")} onClick={() => actions.onTakeBack(view.key)} />
        </p>
      );
    case "unconfirmed":
      return (
        <p class="keep-line roomy" role="status">
          <Icon name="keep" />
          <span>{i18n.t("panel.keep.unconfirmed")}</span>
          <Button text={i18n.t("panel.backlog.now")} onClick={() => actions.onSendNow(view.key)} />
          <Button text={i18n.t("panel.keep.discard")} onClick={() => actions.onTakeBack(view.key)} />
        </p>
      );
    case "stopped":
      return (
        <div class="notice" role="group" aria-label={i18n.t("panel.keep.stopped")}>
          <p class="notice-title">
            <Icon name="warning" />
            {i18n.t("panel.keep.stopped")}
          </p>
          <p>{problemText(view.problem)}</p>
          <StoppedActions entryKey={view.key} {...actions} />
        </div>
      );
    case "kept":
      return <KeptLine since={view.since} changed={view.changed} onKeep={() => actions.onKeep(false)} />;
    case "refused":
      return (
        <p class="keep-line" role="status">
          <Icon name="warning" />
          <span>{view.message}</span>
          <Button text={i18n.t("panel.failure.again")} onClick={() => actions.onKeep(false)} />
        </p>
      );
  }
}

function KeptLine({
  since,
  changed,
  onKeep,
}: {
  readonly since: number;
  readonly changed: boolean | undefined;
  readonly onKeep: () => void;
}): VNode {
  const day = momentOf(new Date(since).toISOString());
  return (
    <p class="keep-line kept">
      <Icon name="kept" />
      <span>{changed === true ? i18n.t("panel.keep.changed", [day]) : i18n.t("panel.keep.kept", [day])}</span>
      {changed === false ? null : (
        <Button text={i18n.t("panel.keep.refresh")} class={changed === true ? "primary" : "quiet"} onClick={onKeep} />
      )}
    </p>
  );
}

interface UndoLineProps {
  readonly until: number;
  /** Of a page that is not the one in front. */
  readonly title?: string;
  readonly onTakeBack: () => void;
}

function UndoLine({ until, title, onTakeBack }: UndoLineProps): VNode {
  const left = useSignal(secondsUntil(until));
  useEffect(() => {
    left.value = secondsUntil(until);
    const timer = setInterval(() => (left.value = secondsUntil(until)), 500);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <p class="keep-line">
      <Icon name="keep" />
      <span>
        {title === undefined ? null : <strong dir="auto">{visibleText(title)} </strong>}
        <span class="visually-hidden" role="status">
          {i18n.t("panel.keep.undoHint")}
        </span>
        <span aria-hidden="true">{i18n.t("panel.keep.inSeconds", left.value)}</span>
      </span>
      <Button text={i18n.t("panel.keep.undo")} onClick={onTakeBack} />
    </p>
  );
}

/** Pages of other tabs that can still be taken back: whatever was clicked, and wherever the person is by now. */
export function UndoBar({
  undoable,
  onTakeBack,
}: { readonly undoable: ReadonlySignal<readonly Undoable[]> } & Pick<KeepActions, "onTakeBack">): VNode {
  return (
    <>
      {undoable.value.map(({ key, title, until }) => (
        <UndoLine key={key} title={title} until={until} onTakeBack={() => onTakeBack(key)} />
      ))}
    </>
  );
}

const secondsUntil = (moment: number): number => Math.max(0, Math.ceil((moment - Date.now()) / 1_000));

function StoppedActions({
  entryKey,
  onSendNow,
  onTakeBack,
  onSettings,
}: { readonly entryKey: string } & KeepActions): VNode {
  return (
    <div class="actions">
      <Button text={i18n.t("panel.failure.again")} class="primary" onClick={() => onSendNow(entryKey)} />
      <Button text={i18n.t("panel.keep.discard")} onClick={() => onTakeBack(entryKey)} />
      <Button text={i18n.t("panel.failure.settings")} onClick={onSettings} />
    </div>
  );
}

/** What waits to be sent, when it does not go out by itself; nothing to see otherwise. */
export function BacklogBar({
  backlog,
  ...actions
}: { readonly backlog: ReadonlySignal<Backlog> } & KeepActions): VNode | null {
  const { waiting, unconfirmed, stopped, isPaused, since, problem } = backlog.value;
  const isQuiet = unconfirmed === 0 && (waiting === 0 || problem === undefined);
  if (stopped.length === 0 && !isPaused && isQuiet) return null;
  const age = since === undefined ? "" : momentOf(new Date(since).toISOString());
  return (
    <section class="backlog" aria-label={i18n.t("panel.backlog.title")}>
      {isPaused ? (
        <p>
          <Icon name="lock" />
          <span>{i18n.t("panel.backlog.paused", waiting)}</span>
          <Button text={i18n.t("panel.failure.settings")} class="primary" onClick={actions.onSettings} />
        </p>
      ) : waiting > 0 && problem !== undefined ? (
        <p>
          <Icon name="keep" />
          <span>
            {i18n.t("panel.backlog.waiting", waiting)} {age === "" ? "" : i18n.t("panel.backlog.since", [age])}{" "}
            {problemText(problem)}
          </span>
          <Button text={i18n.t("panel.backlog.now")} onClick={() => actions.onSendNow()} />
        </p>
      ) : unconfirmed > 0 ? (
        <p>
          <Icon name="keep" />
          <span>{i18n.t("panel.backlog.unconfirmed", unconfirmed)}</span>
          <Button text={i18n.t("panel.backlog.now")} onClick={() => actions.onSendNow()} />
        </p>
      ) : null}
      {stopped.map((entry) => (
        <div key={entry.key} class="backlog-stopped">
          <p>
            <strong dir="auto">{visibleText(entry.title)}</strong> {problemText(entry.problem)}
          </p>
          <StoppedActions entryKey={entry.key} {...actions} />
        </div>
      ))}
    </section>
  );
}
