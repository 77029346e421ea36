import type { Answer } from "@threadlore/ask";
import { isFinal, visibleText } from "@threadlore/ask";
import { useComputed, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Blocks } from "../answer/blocks.tsx";
import { copyAnswer } from "../answer/copy-answer.ts";
import { FailureCard, type FailureActions } from "./failure-card.tsx";
import { createLinkMemory, type PanelLinks } from "../answer/links.ts";
import { closedText, IconButton } from "./scope-bar.tsx";
import { Sources, sourcesNamed } from "../answer/sources.tsx";
import { Steps } from "../answer/steps.tsx";
import type { Turn, TurnPages } from "../ask/turn.ts";
import { percentOf } from "../../ui/wording.ts";

/** What a person can do with a turn. */
export interface TurnActions extends FailureActions {
  readonly onAgain: () => void;
  readonly onJudge: (turn: Turn, isPositive: boolean, text?: string) => void;
  /** Waits no longer for a page that does not answer. */
  readonly onWithoutPage: () => void;
}

interface TurnViewProps extends TurnActions {
  readonly turn: Turn;
  /** The one before it, whose notes need not be said again. */
  readonly before: Turn | undefined;
  readonly isLast: boolean;
  readonly isBusy: boolean;
  readonly localHosts: boolean;
  /** IT has set the service's address. */
  readonly isManaged: boolean;
  /** Keeps the page that was asked; absent where that is not on offer. */
  readonly onKeep?: (() => void) | undefined;
}

/** A question with its answer. */
export function TurnView({
  turn,
  before,
  isLast,
  isBusy,
  localHosts,
  isManaged,
  onKeep,
  ...actions
}: TurnViewProps): VNode {
  const remember = useMemo(createLinkMemory, [turn]);
  const answer = turn.answer.value;
  const pages = turn.pages.value;
  const links = remember(answer, { pages: pages.asked, localHosts });
  const isOver = isFinal(answer.status);
  return (
    <article class="turn" aria-busy={!isOver}>
      <Question turn={turn} pages={pages} />
      <div class="answer" tabIndex={-1}>
        <h2 class="visually-hidden">{i18n.t("panel.answer.title")}</h2>
        <Steps answer={answer} reading={isOver ? "no" : turn.reading.value} />
        {turn.reading.value === "slow" && !isOver ? <SlowPage onWithoutPage={actions.onWithoutPage} /> : null}
        <TurnNotesView turn={turn} before={before} />
        {answer.text === "" ? null : <Blocks blocks={answer.blocks} links={links} />}
        {answer.status === "done" && answer.text.trim() === "" ? (
          <p class="muted">{i18n.t("panel.answer.empty")}</p>
        ) : null}
        {answer.status === "stopped" ? <p class="muted">{i18n.t("panel.answer.stopped")}</p> : null}
        {answer.failure === undefined ? null : (
          <FailureCard
            failure={answer.failure}
            isPartial={answer.text.trim() !== ""}
            isManaged={isManaged}
            {...actions}
            onAgain={isLast && !isBusy ? actions.onAgain : undefined}
          />
        )}
        {isOver ? <Sources answer={answer} links={links} pages={pages.asked} /> : null}
        {isOver ? (
          <AnswerBar
            turn={turn}
            answer={answer}
            links={links}
            canRepeat={isLast && !isBusy}
            onKeep={onKeep}
            {...actions}
          />
        ) : null}
      </div>
    </article>
  );
}

function Question({ turn, pages }: { readonly turn: Turn; readonly pages: TurnPages }): VNode {
  const names = pages.asked
    .map(({ title, isSelection }) => (isSelection === true ? i18n.t("panel.scope.selectionOf", [title]) : title))
    .join(", ");
  const isCompany = turn.scope.company && turn.notes.value.searchOff === undefined;
  const about = [...(names === "" ? [] : [names]), ...(isCompany ? [i18n.t("panel.scope.company")] : [])];
  return (
    <div class="question">
      <h2 dir="auto">{turn.question}</h2>
      {turn.scope.page ? (
        <p class="about" title={about.join(" + ")}>
          {about.join(" + ")}
        </p>
      ) : null}
    </div>
  );
}

/** Said while a page does not answer: nothing was sent yet, and the question need not wait for it. */
function SlowPage({ onWithoutPage }: { readonly onWithoutPage: () => void }): VNode {
  return (
    <div class="notice mild" role="status">
      <p>{i18n.t("panel.page.slow")}</p>
      <div class="actions">
        <Button text={i18n.t("panel.page.without")} onClick={onWithoutPage} />
      </div>
    </div>
  );
}

/** What of the question was not asked as it was meant, said before the answer that had to do without. */
function TurnNotesView({ turn, before }: Pick<TurnViewProps, "turn" | "before">): VNode | null {
  const pages = turn.pages.value;
  const { searchOff, begunAnew } = turn.notes.value;
  const isNews = searchOff !== undefined && before?.notes.value.searchOff !== searchOff;
  const notes = [
    ...(begunAnew === true ? [i18n.t("panel.answer.begunAnew")] : []),
    ...(isNews ? [i18n.t(`panel.searchOff.${searchOff}`)] : []),
    ...pages.unread.map(({ title, reason }) => i18n.t("panel.page.unread", [title, closedText(reason)])),
    ...pages.asked.flatMap(({ title, unreadFrames = 0 }) =>
      unreadFrames === 0 ? [] : [i18n.t("panel.page.frames", [title])],
    ),
    ...pages.leftOut.map(({ title, left, of }) => i18n.t("panel.page.leftOut", [title, percentOf(left, of)])),
  ];
  if (notes.length === 0) return null;
  return (
    <ul class="page-notes">
      {notes.map((note) => (
        <li key={note}>{visibleText(note)}</li>
      ))}
    </ul>
  );
}

interface AnswerBarProps extends TurnActions {
  readonly turn: Turn;
  readonly answer: Answer;
  readonly links: PanelLinks;
  readonly canRepeat: boolean;
  readonly onKeep: (() => void) | undefined;
}

function AnswerBar({ turn, answer, links, canRepeat, onKeep, onAgain, onJudge }: AnswerBarProps): VNode | null {
  const copied = useSignal<"no" | "yes" | "failed">("no");
  const thumb = turn.thumb.value;
  const isJudgeable = answer.conversation.messageId !== undefined && thumb !== "unsupported";
  const isNoting = useSignal(false);
  const isSure = useComputed(() => turn.thumb.value === "up" || turn.thumb.value === "down");
  if (answer.text === "" && !canRepeat) return null;
  const copy = async () => {
    copied.value = (await copyAnswer(answer, links)) ? "yes" : "failed";
    setTimeout(() => (copied.value = "no"), 2_000);
  };
  const judge = (isPositive: boolean) => {
    isNoting.value = true;
    onJudge(turn, isPositive);
  };
  return (
    <>
      <div class="answer-bar" role="group" aria-label={i18n.t("panel.answer.actions")}>
        {answer.text === "" ? null : (
          <IconButton
            icon={copied.value === "yes" ? "check" : "copy"}
            label={copied.value === "yes" ? i18n.t("panel.answer.copied") : i18n.t("panel.answer.copy")}
            onClick={() => void copy()}
          />
        )}
        {canRepeat && answer.failure === undefined ? (
          <IconButton icon="again" label={i18n.t("panel.answer.again")} onClick={onAgain} />
        ) : null}
        {onKeep === undefined ? null : <IconButton icon="keep" label={i18n.t("panel.keep.offer")} onClick={onKeep} />}
        {isJudgeable && answer.text !== "" ? (
          <>
            <IconButton
              icon="up"
              label={i18n.t("panel.feedback.up")}
              isPressed={thumb === "up"}
              isDisabled={thumb === "sending"}
              onClick={() => judge(true)}
            />
            <IconButton
              icon="down"
              label={i18n.t("panel.feedback.down")}
              isPressed={thumb === "down"}
              isDisabled={thumb === "sending"}
              onClick={() => judge(false)}
            />
          </>
        ) : null}
        <span role="status" class="muted">
          {copied.value === "failed"
            ? i18n.t("panel.answer.copyFailed")
            : copied.value === "yes"
              ? i18n.t("panel.answer.copied")
              : ""}
          {thumb === "failed" ? i18n.t("panel.feedback.failed") : ""}
          {thumb === "unsupported" ? i18n.t("panel.feedback.unsupported") : ""}
          {isSure.value && !isNoting.value ? i18n.t("panel.feedback.thanks") : ""}
        </span>
      </div>
      {isSure.value && isNoting.value ? (
        <Comment
          isPositive={thumb === "up"}
          onSend={(text) => {
            isNoting.value = false;
            if (text.trim() !== "") onJudge(turn, thumb === "up", text.trim());
          }}
        />
      ) : null}
    </>
  );
}

function Comment({
  isPositive,
  onSend,
}: {
  readonly isPositive: boolean;
  readonly onSend: (text: string) => void;
}): VNode {
  const text = useSignal("");
  const label = i18n.t(isPositive ? "panel.feedback.whatGood" : "panel.feedback.whatBad");
  return (
    <form
      class="comment"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(text.value);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onSend("");
      }}
    >
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        value={text.value}
        maxLength={2_000}
        dir="auto"
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <Button text={i18n.t(text.value.trim() === "" ? "panel.feedback.skip" : "panel.feedback.send")} type="submit" />
    </form>
  );
}

/** What is said aloud of an answer: where it stands, not every word as it comes. */
export function announcement(turn: Turn | undefined): string {
  const answer = turn?.answer.value;
  switch (answer?.status) {
    case "waiting":
      if (turn?.reading.value !== "no") return i18n.t("panel.keep.reading");
      return i18n.t("panel.announce.searching");
    case "searching":
      return i18n.t("panel.announce.searching");
    case "answering":
      return i18n.t("panel.announce.answering");
    case "done":
      return i18n.t("panel.announce.done", sourcesNamed(answer, turn?.pages.value.asked ?? []).length);
    case "partial":
    case "failed":
      return i18n.t("panel.announce.failed");
    case "stopped":
      return i18n.t("panel.answer.stopped");
    case undefined:
      return "";
  }
}
