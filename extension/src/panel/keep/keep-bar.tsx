import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { ADDITION_LIMITS } from "../../keep/additions.ts";
import { ConsentCard } from "./consent-card.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type OutboxEntry, shownTitle } from "../../outbox/outbox-entry.ts";
import { openSettings } from "../../ui/open-pages.ts";
import { focusComposer } from "../view/composer.tsx";
import type { Keeping } from "./keeping.ts";
import { Line } from "./line.tsx";
import { notMarkedText, problemText } from "./keep-text.ts";
import { Later, writingCard } from "./later.tsx";
import { UndoAllLine, UndoLine } from "./undo-line.tsx";
import { countOf, momentOf } from "../../ui/wording.ts";

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
      return <Undo entry={view.entry} keeping={keeping} />;
    case "queued": {
      const { key, problem, removal } = view.entry;
      const going = removal === undefined ? "panel.keep.sending" : "panel.keep.removing";
      const text = problem === undefined ? i18n.t(going) : problemText(problem, removal !== undefined);
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
    case "stopped": {
      const isRemoval = view.entry.removal !== undefined;
      const title = i18n.t(isRemoval ? "panel.keep.notRemoved" : "panel.keep.stopped");
      return (
        <div class="notice" role="group" aria-label={title}>
          <p class="notice-title">
            <Icon name="warning" />
            {title}
          </p>
          <p>{problemText(view.entry.problem, isRemoval)}</p>
          <StoppedActions entry={view.entry} keeping={keeping} />
        </div>
      );
    }
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

/** Nothing to see where its title is being written: the bar above has it then. */
function Undo({ entry, isOther, keeping }: EntryProps & { readonly isOther?: boolean }): VNode | null {
  if (keeping.writing.value?.key === entry.key) return null;
  if (isOther !== true && keeping.together.value.includes(entry)) return null;
  const marked = keeping.marked.value;
  // The line about the highlight has it as well: the page itself was kept before.
  if (marked?.became === "added" && !marked.isNew && marked.key === entry.key) return null;
  return (
    <UndoLine
      entry={entry}
      {...(isOther === true && { isOther })}
      onUndo={() => void keeping.takeBack(entry.key)}
      onWrite={() => (keeping.writing.value = entry)}
    />
  );
}

/** What was highlighted last on the page in front, or why it was not. */
export function MarkedBar({ keeping }: KeepingProps): VNode | null {
  const marked = keeping.marked.value;
  if (marked === undefined) return null;
  if (marked.became !== "added") {
    const icon = marked.became === "known" ? "mark" : "warning";
    return <Line class="keep-line" role="status" icon={icon} text={notMarkedText(marked)} />;
  }
  const { key, text, isCut, isNew } = marked;
  const view = keeping.view.value;
  const entry = view.state === "undo" && view.entry.key === key ? view.entry : undefined;
  const most = countOf(ADDITION_LIMITS.highlight);
  const shown = visibleText(text);
  return (
    <Line
      class="keep-line marked"
      role="status"
      icon="mark"
      text={isCut ? i18n.t("panel.marked.cut", [most]) : i18n.t("panel.marked.added")}
    >
      <q dir="auto" title={shown}>
        {shown}
      </q>
      {isNew || entry === undefined ? null : (
        <Button says="panel.keep.describe" onClick={() => (keeping.writing.value = entry)} />
      )}
      <Button says="panel.keep.undo" onClick={() => void keeping.unmark()} />
    </Line>
  );
}

/**
 * Pages of other tabs that can still be taken back, and the one whose title is being written: whatever was clicked, and
 * wherever the person is by now.
 */
export function UndoBar({ keeping }: KeepingProps): VNode {
  const page = keeping.writing.value;
  const onEnd = () => {
    // Of another page by now, whose form stays.
    if (keeping.writing.peek()?.key !== page?.key) return;
    keeping.writing.value = undefined;
    focusComposer();
  };
  const together = keeping.together.value;
  const alone = keeping.undoable.value.filter((other) => !together.includes(other));
  return (
    <>
      {page === undefined ? null : <Later key={page.key} part={writingCard} of={{ page, onEnd }} />}
      {together.length === 0 ? null : (
        <Together entries={together.filter(({ key }) => key !== page?.key)} keeping={keeping} />
      )}
      {alone.map((other) => (
        <Undo key={other.key} entry={other} isOther keeping={keeping} />
      ))}
    </>
  );
}

/** Many pages that are about to be kept: one line, which opens to one for each. */
function Together({ entries, keeping }: KeepingProps & { readonly entries: readonly OutboxEntry[] }): VNode {
  const isOpen = useSignal(false);
  const id = useId();
  const soonest = Math.min(...entries.map(({ sendAfter }) => sendAfter));
  return (
    <>
      <UndoAllLine
        sendAfter={soonest}
        count={entries.length}
        onUndo={() => void keeping.takeBack(...entries.map(({ key }) => key))}
      >
        <button
          type="button"
          class="quiet more"
          aria-expanded={isOpen.value}
          aria-controls={id}
          aria-label={i18n.t("panel.keep.each")}
          title={i18n.t("panel.keep.each")}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon name="more" />
        </button>
      </UndoAllLine>
      <div id={id} class="undo-each" hidden={!isOpen.value}>
        {isOpen.value ? entries.map((entry) => <Undo key={entry.key} entry={entry} isOther keeping={keeping} />) : null}
      </div>
    </>
  );
}

function StoppedActions({ entry: { key, removal }, keeping }: EntryProps): VNode {
  if (removal !== undefined)
    return (
      <div class="actions">
        <Button says="panel.failure.again" onClick={() => void keeping.sendNow(key)} />
        <Button says="panel.kept.takeOff" class="primary" onClick={() => void keeping.takeOff(key)} />
        <Button says="panel.kept.decline" onClick={() => void keeping.takeBack(key)} />
      </div>
    );
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
            <strong dir="auto">{visibleText(shownTitle(entry))}</strong>{" "}
            {problemText(entry.problem, entry.removal !== undefined)}
          </p>
          <StoppedActions entry={entry} keeping={keeping} />
        </div>
      ))}
    </section>
  );
}
