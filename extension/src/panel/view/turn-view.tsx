import { isFinal, saysNothingFound, visibleText } from "@threadlore/ask";
import { useComputed, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { i18n } from "#i18n";
import { Button, IconButton } from "../../ui/button.tsx";
import { Blocks } from "../answer/blocks.tsx";
import { copyAnswer } from "../answer/copy-answer.ts";
import { FollowUps } from "../answer/follow-ups.tsx";
import { askPerson, Later } from "../keep/later.tsx";
import { FailureCard } from "./failure-card.tsx";
import { notReadNote } from "../answer/page-notes.ts";
import { createLinkMemory, type PanelLinks } from "../answer/links.ts";
import { closedText } from "../pages/closed-text.ts";
import { Form } from "../../ui/form.tsx";
import type { Panel } from "../panel.ts";
import { Sources, sourcesNamed } from "../answer/sources.tsx";
import { Live, Steps } from "../answer/steps.tsx";
import { Question } from "../ask/question-view.tsx";
import type { Turn } from "../ask/turn.ts";
import { percentOf } from "../../ui/wording.ts";

interface TurnViewProps {
  readonly panel: Panel;
  readonly turn: Turn;
  /** The one before it, whose notes need not be said again. */
  readonly before: Turn | undefined;
  readonly isLast: boolean;
}

/** A question with its answer. */
export function TurnView({ panel, turn, before, isLast }: TurnViewProps): VNode {
  const remember = useMemo(createLinkMemory, [turn]);
  const answer = turn.answer.value;
  const pages = turn.pages.value;
  const links = remember(answer, {
    question: turn.question,
    pages: pages.asked,
    localHosts: panel.service.value?.isLocal ?? false,
  });
  const canRepeat = isLast && !panel.conversation.isBusy.value;
  const isOver = isFinal(answer.status);
  return (
    <article class="turn" aria-busy={!isOver}>
      <Question conversation={panel.conversation} turn={turn} />
      <div class="answer" tabIndex={-1}>
        <h2 class="visually-hidden">{i18n.t("panel.answer.title")}</h2>
        <Steps turn={turn} />
        {turn.reading.value === "slow" && !isOver ? <SlowPage panel={panel} /> : null}
        <TurnNotesView turn={turn} before={before} />
        {answer.text === "" ? null : <Blocks blocks={answer.blocks} links={links} />}
        {answer.status === "answering" ? <Live turn={turn} /> : null}
        {answer.status === "done" && answer.text.trim() === "" ? (
          <p class="muted">{i18n.t("panel.answer.empty")}</p>
        ) : null}
        {answer.status === "stopped" ? <p class="muted">{i18n.t("panel.answer.stopped")}</p> : null}
        {answer.failure === undefined ? null : (
          <FailureCard
            failure={answer.failure}
            isPartial={answer.text.trim() !== ""}
            canRepeat={canRepeat}
            panel={panel}
          />
        )}
        {isOver ? <Sources answer={answer} links={links} pages={pages.asked} /> : null}
        {isOver ? <AnswerBar panel={panel} turn={turn} links={links} canRepeat={canRepeat} /> : null}
        {canRepeat && answer.status === "done" ? <FollowUps panel={panel} turn={turn} /> : null}
      </div>
    </article>
  );
}

/** Said while a page does not answer: nothing was sent yet, and the question need not wait for it. */
function SlowPage({ panel }: { readonly panel: Panel }): VNode {
  return (
    <div class="notice mild" role="status">
      <p>{i18n.t("panel.page.slow")}</p>
      <div class="actions">
        <Button says="panel.page.without" onClick={() => panel.conversation.withoutPage()} />
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
    ...pages.unread.map(({ title, reason }) =>
      // Of some tabs the browser tells nothing, not even what they are called.
      i18n.t("panel.page.unread", [title || i18n.t("panel.scope.unnamed"), closedText(reason)]),
    ),
    ...pages.asked.flatMap(notReadNote),
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

interface AnswerBarProps extends Pick<TurnViewProps, "panel" | "turn"> {
  readonly links: PanelLinks;
  readonly canRepeat: boolean;
}

function AnswerBar({ panel, turn, links, canRepeat }: AnswerBarProps): VNode | null {
  const { conversation } = panel;
  const answer = turn.answer.value;
  const copied = useSignal<"no" | "yes" | "failed">("no");
  const thumb = turn.thumb.value;
  const isNothing = saysNothingFound(answer);
  // Where nothing was found there is no answer to judge.
  const isJudgeable = answer.conversation.messageId !== undefined && thumb !== "unsupported" && !isNothing;
  const isNoting = useSignal(false);
  const isAsking = useSignal(false);
  const canAskPeople = panel.people.value?.canBeAsked;
  const isSure = useComputed(() => turn.thumb.value === "up" || turn.thumb.value === "down");
  if (answer.text === "" && !canRepeat) return null;
  const copy = async () => {
    copied.value = (await copyAnswer(answer, links)) ? "yes" : "failed";
    setTimeout(() => (copied.value = "no"), 2_000);
  };
  const judge = (isPositive: boolean) => {
    isNoting.value = true;
    void conversation.judge(turn, isPositive);
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
          <IconButton icon="again" label={i18n.t("panel.answer.again")} onClick={() => void conversation.again()} />
        ) : null}
        {isJudgeable && answer.text !== ""
          ? (["up", "down"] as const).map((way) => (
              <IconButton
                key={way}
                icon={way}
                label={i18n.t(`panel.feedback.${way}`)}
                aria-pressed={thumb === way}
                disabled={thumb === "sending"}
                onClick={() => judge(way === "up")}
              />
            ))
          : null}
        {canAskPeople && !isNothing ? (
          <IconButton
            icon="people"
            label={i18n.t("panel.people.ask")}
            aria-expanded={isAsking.value}
            onClick={() => (isAsking.value = !isAsking.value)}
          />
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
      {canAskPeople && (isNothing || isAsking.value) ? (
        <Later part={askPerson} of={{ panel, question: turn.question, isNothing, isAsking }} />
      ) : null}
      {isSure.value && isNoting.value ? (
        <Comment
          isPositive={thumb === "up"}
          onSend={(text) => {
            isNoting.value = false;
            if (text.trim() !== "") void conversation.judge(turn, thumb === "up", text.trim());
          }}
        />
      ) : null}
    </>
  );
}

interface CommentProps {
  readonly isPositive: boolean;
  readonly onSend: (text: string) => void;
}

function Comment({ isPositive, onSend }: CommentProps): VNode {
  const text = useSignal("");
  const label = i18n.t(isPositive ? "panel.feedback.whatGood" : "panel.feedback.whatBad");
  return (
    <Form
      class="comment"
      onSend={() => onSend(text.value)}
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
      <Button says={text.value.trim() === "" ? "panel.feedback.skip" : "panel.feedback.send"} type="submit" />
    </Form>
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
      if (saysNothingFound(answer)) return i18n.t("panel.announce.nothing");
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
