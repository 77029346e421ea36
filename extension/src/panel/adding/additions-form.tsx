import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import {
  ADDITION_LIMITS,
  type KeptAdditions,
  type KeptHighlight,
  NO_ADDITIONS,
  tidyAdditions,
  tidyTags,
} from "../../keep/additions.ts";
import { usedTags } from "../../keep/used-tags.ts";
import { findRecord, type LedgerRecord } from "../../outbox/ledger.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { GrowingField } from "../../ui/growing-field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { countOf, shortened } from "../../ui/wording.ts";
import { mergedAdditions } from "../../keep/merged.ts";
import { revise } from "../../outbox/revise.ts";
import { acted } from "../keep/acting.ts";
import { folded } from "../history/found.ts";
import { forgetWritten, type Unfinished, writtenOf } from "./written.ts";

interface AdditionsFormProps {
  /** Key of the page: what is written of it stays under it until it is done or left. */
  readonly pageKey: string;
  /** The page's own title. */
  readonly title: string;
  /** What was added before; what is highlighted meanwhile comes along. */
  readonly additions?: KeptAdditions | undefined;
  /**
   * Of a page that is asked about: what it is to be sent with, brought together with what another window added meanwhile.
   * Absent: the page waits or is kept, and the form gives it what was written; what it cannot give it says, and keeps.
   */
  readonly onDone?: (additions: KeptAdditions) => void;
  /** It was done, or left. */
  readonly onEnd: () => void;
}

/** Most tags that are offered at once. */
const MAX_OFFERED = 6;
/** What ends a tag beside Enter. */
const ENDS = /[,，、،;；\n]/;

/**
 * A page's title, its tags, a note on it and what was highlighted there, to be changed. Enter keeps them, in the note with
 * Ctrl; Escape leaves what was.
 */
export function AdditionsForm(props: AdditionsFormProps): VNode {
  const { pageKey, title, additions, onDone, onEnd } = props;
  const problem = useSignal("");
  const id = useId();
  const written = useMemo(() => writtenOf(pageKey, title, additions), [pageKey]);
  const { title: name, tags, tag, note, dropped } = written;
  /** What stands in what was sent. */
  const sent = useSignal<KeptAdditions | undefined>(additions === undefined ? written.since : undefined);
  const highlights = (additions ?? sent.value ?? NO_ADDITIONS).highlights.filter(
    ({ text }) => !dropped.value.has(text),
  );
  const first = useRef<HTMLInputElement>(null);
  // As it is drawn: a moment later it would take what is written elsewhere by then.
  useLayoutEffect(() => {
    first.current?.focus();
    first.current?.select();
  }, []);
  useEffect(() => {
    const before = (record: LedgerRecord | undefined) => {
      if (record?.additions === undefined) return;
      written.since = record.additions;
      sent.value = record.additions;
      note.value ||= record.additions.note ?? "";
      if (name.peek() === title) name.value = record.additions.title ?? title;
      tags.value = tidyTags([...record.additions.tags, ...tags.peek()]);
    };
    // Of a page that is asked about, what was added before may stand in what was sent of it.
    if (written.since === undefined && onDone !== undefined)
      void findRecord(pageKey)
        .then(before)
        .catch(() => {});
  }, []);
  const end = () => {
    forgetWritten(pageKey);
    onEnd();
  };
  const done = async () => {
    const raw = { title: name.value, tags: [...tags.value, ...tag.value.split(ENDS)], note: note.value, highlights };
    const given = tidyAdditions(raw, title) ?? NO_ADDITIONS;
    problem.value = await give(props, written, given);
    if (problem.peek() === "") end();
  };
  return (
    <Form
      class="additions"
      aria-label={i18n.t("panel.added.form")}
      onSend={() => void done()}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void done();
        if (event.key !== "Escape" || event.isComposing) return;
        // What it stands in is left by Escape as well.
        event.stopPropagation();
        end();
      }}
    >
      <label for={`${id}-title`}>{i18n.t("panel.added.title")}</label>
      <input
        id={`${id}-title`}
        ref={first}
        type="text"
        dir="auto"
        maxLength={ADDITION_LIMITS.title}
        placeholder={visibleText(title)}
        value={name.value}
        onInput={({ currentTarget }) => void (name.value = currentTarget.value)}
      />
      <TagField id={`${id}-tags`} tags={tags} written={tag} />
      <NoteField id={`${id}-note`} note={note} />
      {highlights.length === 0 ? null : (
        <Highlights
          id={`${id}-marked`}
          highlights={highlights}
          onDrop={(text) => (dropped.value = new Set([...dropped.value, text]))}
        />
      )}
      {problem.value === "" ? null : (
        <p class="past-problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="actions">
        <Button says="panel.added.save" class="primary" type="submit" />
        <Button says="panel.added.leave" onClick={end} />
      </div>
    </Form>
  );
}

/** Gives a page what was written. What could not be done, in words; "": all of it was. */
async function give(
  { pageKey, additions, onDone }: AdditionsFormProps,
  written: Unfinished,
  given: KeptAdditions,
): Promise<string> {
  const { since } = written;
  if (onDone !== undefined) {
    const both = mergedAdditions(since, given, additions ?? since);
    // Of two titles the one given last, which is shown before the page goes.
    onDone("field" in both ? given : both);
    return "";
  }
  return acted(async () => {
    const became = await revise(pageKey, given, since);
    // What another window wrote in the same place is said, and gives way when this is given once more.
    if (typeof became === "object") written.since = { ...NO_ADDITIONS, ...since, [became.field]: became.text };
    return became;
  });
}

interface NoteFieldProps {
  readonly id: string;
  readonly note: Signal<string>;
}

function NoteField({ id, note }: NoteFieldProps): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  const isFull = note.value.length >= ADDITION_LIMITS.note;
  return (
    <>
      <label for={id}>{i18n.t("panel.added.note")}</label>
      <GrowingField
        id={id}
        field={field}
        maxLength={ADDITION_LIMITS.note}
        aria-describedby={`${id}-hint`}
        value={note.value}
        onWrite={(text) => (note.value = text)}
      />
      <p id={`${id}-hint`} class="muted" role="status">
        {isFull ? i18n.t("panel.added.noteFull", [countOf(ADDITION_LIMITS.note)]) : null}
      </p>
    </>
  );
}

/** Characters of a highlight that are seen at once, and in the name of its button. */
const SEEN = 120;

interface HighlightsProps {
  readonly id: string;
  readonly highlights: readonly KeptHighlight[];
  readonly onDrop: (text: string) => void;
}

/** What was highlighted on the page, each to be taken away; a long one is opened where it stands. */
function Highlights({ id, highlights, onDrop }: HighlightsProps): VNode {
  const list = useRef<HTMLUListElement>(null);
  const drop = (at: number, text: string) => {
    // Before it goes, or the focus would go with it.
    const buttons = Array.from(list.current?.querySelectorAll("button") ?? []);
    const next = buttons[at + 1] ?? buttons[at - 1] ?? list.current?.closest("form")?.querySelector("textarea");
    next?.focus();
    onDrop(text);
  };
  return (
    <>
      <p id={id} class="field-name">
        {i18n.t("panel.added.highlights")} · {countOf(highlights.length)}
      </p>
      <ul ref={list} class="highlights" aria-labelledby={id}>
        {highlights.map(({ text }, at) => {
          const whole = visibleText(text);
          return (
            <li key={text}>
              {whole.length <= SEEN ? (
                <span dir="auto">{whole}</span>
              ) : (
                <details>
                  <summary dir="auto" title={whole}>
                    {whole}
                  </summary>
                </details>
              )}
              <IconButton
                icon="close"
                label={i18n.t("panel.added.dropHighlight", [shortened(whole, SEEN)])}
                onClick={() => drop(at, text)}
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface TagFieldProps {
  readonly id: string;
  readonly tags: Signal<readonly string[]>;
  /** What is written of the next one. */
  readonly written: Signal<string>;
}

/** A page's tags, and those used before to choose from. */
function TagField({ id, tags, written }: TagFieldProps): VNode {
  const used = useSignal<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    void usedTags()
      .then((found) => (used.value = found))
      .catch(() => {});
  }, []);
  const isFull = tags.value.length >= ADDITION_LIMITS.tags;
  const add = (...given: string[]) => {
    tags.value = tidyTags([...tags.value, ...given]);
    written.value = "";
  };
  const drop = (tag: string) => {
    tags.value = tags.value.filter((one) => one !== tag);
    input.current?.focus();
  };
  const sought = folded(written.value.trim());
  const isOffered = (tag: string) => !isFull && !tags.value.includes(tag) && folded(tag).includes(sought);
  const offered = used.value.filter(isOffered).slice(0, MAX_OFFERED);
  return (
    <>
      <label for={id}>{i18n.t("panel.added.tags")}</label>
      <div class="tag-box">
        {tags.value.map((tag) => (
          <button
            key={tag}
            type="button"
            class="tag"
            aria-label={i18n.t("panel.added.drop", [tag])}
            onClick={() => drop(tag)}
          >
            <bdi>{visibleText(tag)}</bdi>
            <Icon name="close" />
          </button>
        ))}
        <input
          id={id}
          ref={input}
          type="text"
          dir="auto"
          autocomplete="off"
          maxLength={ADDITION_LIMITS.tag}
          disabled={isFull}
          aria-describedby={`${id}-hint`}
          value={written.value}
          onInput={({ currentTarget }) => {
            written.value = currentTarget.value;
            if (ENDS.test(currentTarget.value)) add(...currentTarget.value.split(ENDS));
          }}
          onKeyDown={(event) => {
            // Enter ends a word of an input method before it ends a tag.
            if (event.isComposing) return;
            if (event.key === "Enter" && written.value.trim() !== "") {
              event.preventDefault();
              add(written.value);
            }
            const last = tags.value.at(-1);
            if (event.key === "Backspace" && written.value === "" && last !== undefined) drop(last);
          }}
        />
      </div>
      <p id={`${id}-hint`} class="muted">
        {isFull ? i18n.t("panel.added.full", [String(ADDITION_LIMITS.tags)]) : i18n.t("panel.added.hint")}
      </p>
      {offered.length === 0 ? null : (
        <div class="tag-offers" role="group" aria-label={i18n.t("panel.added.used")}>
          <span class="muted" aria-hidden="true">
            {i18n.t("panel.added.used")}
          </span>
          {offered.map((tag) => (
            <button
              key={tag}
              type="button"
              class="tag offered"
              onClick={() => {
                add(tag);
                input.current?.focus();
              }}
            >
              <bdi>{visibleText(tag)}</bdi>
            </button>
          ))}
        </div>
      )}
    </>
  );
}
