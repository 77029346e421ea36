import { type Signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { ADDITION_LIMITS, type KeptAdditions, NO_ADDITIONS, tidyAdditions, tidyTags } from "../../keep/additions.ts";
import { usedTags } from "../../keep/used-tags.ts";
import { findRecord, type LedgerRecord } from "../../outbox/ledger.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { folded } from "../history/found.ts";

interface AdditionsFormProps {
  /** The page's own title. */
  readonly title: string;
  /** What was added before. */
  readonly additions?: KeptAdditions | undefined;
  /** Key of the page, where what was added before may stand in what was sent of it. */
  readonly recordKey?: string;
  readonly onDone: (additions: KeptAdditions) => void;
  readonly onLeave: () => void;
}

/** Most tags that are offered at once. */
const MAX_OFFERED = 6;
/** What ends a tag beside Enter. */
const ENDS = /[,，、،;；\n]/;

/** A page's title and its tags, to be changed. Enter keeps them, Escape leaves what was. */
export function AdditionsForm({ title, additions, recordKey, onDone, onLeave }: AdditionsFormProps): VNode {
  const id = useId();
  const name = useSignal(additions?.title ?? title);
  const tags = useSignal<readonly string[]>(additions?.tags ?? []);
  const written = useSignal("");
  /** What the form does not show, and keeps. */
  const others = useRef(additions ?? NO_ADDITIONS);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    first.current?.focus();
    first.current?.select();
    const before = (record: LedgerRecord | undefined) => {
      if (record?.additions === undefined) return;
      others.current = record.additions;
      if (name.peek() === title) name.value = record.additions.title ?? title;
      tags.value = tidyTags([...record.additions.tags, ...tags.peek()]);
    };
    if (additions === undefined && recordKey !== undefined)
      void findRecord(recordKey)
        .then(before)
        .catch(() => {});
  }, []);
  const done = () => {
    const given = { ...others.current, title: name.value, tags: [...tags.value, ...written.value.split(ENDS)] };
    onDone(tidyAdditions(given, title) ?? NO_ADDITIONS);
  };
  return (
    <Form
      class="additions"
      aria-label={i18n.t("panel.added.form")}
      onSend={done}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing) return;
        // What it stands in is left by Escape as well.
        event.stopPropagation();
        onLeave();
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
      <TagField id={`${id}-tags`} tags={tags} written={written} />
      <div class="actions">
        <Button says="panel.added.save" class="primary" type="submit" />
        <Button says="panel.added.leave" onClick={onLeave} />
      </div>
    </Form>
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
