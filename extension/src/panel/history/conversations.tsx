import { useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Button, IconButton } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { clockOf } from "../../ui/wording.ts";
import { DayList } from "./day-list.tsx";
import { wordsOf } from "./found.ts";
import type { History, ListedConversation } from "./history.ts";
import { type Hit, searchHistory } from "./search.ts";
import { SearchField } from "./search-field.tsx";

interface ConversationsProps {
  readonly history: History;
  /** The panel's window is a private one: nothing is changed there, as that would be written to the disk. */
  readonly isPrivate: boolean;
  readonly onOpen: (id: string) => void;
}

/** For how long a conversation that was forgotten can be brought back, milliseconds. */
const UNDO_MS = 10_000;

/** Earlier conversations by day, searched, and in ordinary windows named, forgotten and brought back. */
export function Conversations({ history, isPrivate, onOpen }: ConversationsProps): VNode {
  const query = useSignal("");
  const renaming = useSignal("");
  const problem = useSignal("");
  const forgotten = useSignal<{ readonly title: string; readonly undo: () => Promise<void> } | undefined>(undefined);
  const undoButton = useRef<HTMLDivElement>(null);
  const { state, conversations, isUnread, isPartial, isShared } = history.list.value;
  const sought = wordsOf(query.value).join(" ");
  const { hits, isSearching } = useSearch(history, sought);
  // At once: whoever presses Enter the moment they see the offer takes it.
  useLayoutEffect(() => {
    if (forgotten.value === undefined) return undefined;
    undoButton.current?.querySelector("button")?.focus();
    const over = setTimeout(() => (forgotten.value = undefined), UNDO_MS);
    return () => clearTimeout(over);
  }, [forgotten.value]);
  const shown: readonly Hit[] = sought === "" ? conversations.map((listed) => ({ listed })) : hits.value;
  const rename = async (listed: ListedConversation, name: string) => {
    renaming.value = "";
    problem.value = "";
    if (name.trim() === "" || name.trim() === listed.title) return;
    await history.rename(listed, name.trim()).catch(() => (problem.value = i18n.t("panel.history.renameFailed")));
  };
  const forget = async ({ id }: ListedConversation, title: string) => {
    forgotten.value = { title, undo: await history.forget(id) };
  };
  const told = [
    state === "loading" || (sought !== "" && isSearching.value) ? i18n.t("panel.history.loading") : "",
    state === "ready" && conversations.length === 0 && !isUnread ? i18n.t("panel.history.empty") : "",
    sought !== "" && !isSearching.value && shown.length === 0 ? i18n.t("panel.history.none") : "",
    sought !== "" && conversations.some(({ isRemote }) => isRemote) ? i18n.t("panel.history.titlesOnly") : "",
    isPartial ? i18n.t("panel.history.partial") : "",
    isShared === true ? i18n.t("panel.history.shared") : "",
    isUnread ? i18n.t(isPrivate ? "panel.history.unseen" : "panel.kept.unread") : "",
    isPrivate && conversations.length > 0 ? i18n.t("panel.history.private") : "",
    problem.value,
  ].filter((line) => line !== "");
  return (
    <>
      <SearchField query={query} label={i18n.t("panel.history.search")} />
      <p class="muted told" role="status">
        {told.join(" ")}
      </p>
      {forgotten.value === undefined ? null : (
        <div class="past-undo" ref={undoButton} role="status">
          <span dir="auto">{i18n.t("panel.history.forgotten", [forgotten.value.title])}</span>
          <Button
            says="panel.keep.undo"
            onClick={() => {
              void forgotten.peek()?.undo();
              forgotten.value = undefined;
            }}
          />
        </div>
      )}
      <DayList
        items={shown}
        query={sought}
        keyOf={({ listed }) => listed.id}
        momentOf={({ listed }) => listed.updatedAt}
        draw={(hit) => {
          const { listed } = hit;
          const title = visibleText(listed.title).trim() || i18n.t("panel.history.untitled");
          if (renaming.value === listed.id)
            return <Rename title={title} onEnd={(name) => void rename(listed, name ?? "")} />;
          return (
            <Conversation
              hit={hit}
              title={title}
              isPrivate={isPrivate}
              onOpen={() => onOpen(listed.id)}
              onRename={() => (renaming.value = listed.id)}
              onForget={() => void forget(listed, title)}
            />
          );
        }}
      />
    </>
  );
}

/** Searches everything that was said, anew with other words and with another list. */
function useSearch(history: History, sought: string) {
  const hits = useSignal<readonly Hit[]>([]);
  const isSearching = useSignal(false);
  const { conversations } = history.list.value;
  useEffect(() => {
    if (sought === "") return undefined;
    const stopping = new AbortController();
    const { signal: stopped } = stopping;
    isSearching.value = true;
    const found = (all: readonly Hit[]) => (hits.value = all);
    const over = () => stopped.aborted || (isSearching.value = false);
    const words = sought.split(" ");
    void searchHistory(conversations, words, (ids) => history.read(ids), { found, stopped }).then(over, over);
    return () => stopping.abort();
  }, [sought, conversations]);
  return { hits, isSearching };
}

interface ConversationProps {
  readonly hit: Hit;
  readonly title: string;
  readonly isPrivate: boolean;
  readonly onOpen: () => void;
  readonly onRename: () => void;
  readonly onForget: () => void;
}

function Conversation({
  hit: { listed, line },
  title,
  isPrivate,
  onOpen,
  onRename,
  onForget,
}: ConversationProps): VNode {
  const about = [clockOf(listed.updatedAt), listed.isRemote ? i18n.t("panel.history.remote") : ""];
  return (
    <>
      <button type="button" class="past-entry" data-entry onClick={onOpen}>
        <span class="past-title" dir="auto">
          {title}
        </span>
        {line === undefined ? null : (
          <span class="past-line" dir="auto">
            {visibleText(line.before)}
            <mark>{visibleText(line.found)}</mark>
            {visibleText(line.after)}
          </span>
        )}
        <span class="past-about muted">{about.filter((part) => part !== "").join(" · ")}</span>
      </button>
      {isPrivate ? null : (
        <span class="past-tools">
          <IconButton icon="edit" label={i18n.t("panel.history.rename", [title])} onClick={onRename} />
          {listed.isRemote ? null : (
            <IconButton icon="trash" label={i18n.t("panel.history.forget", [title])} onClick={onForget} />
          )}
        </span>
      )}
    </>
  );
}

/** @param onEnd with the new name; without one, the old one stays */
function Rename({ title, onEnd }: { readonly title: string; readonly onEnd: (name?: string) => void }): VNode {
  const name = useSignal(title);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), []);
  return (
    <Form class="past-rename" onSend={() => onEnd(name.peek())}>
      <input
        ref={input}
        type="text"
        dir="auto"
        maxLength={300}
        aria-label={i18n.t("panel.history.name")}
        value={name.value}
        onInput={({ currentTarget }) => void (name.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.isComposing) return;
          event.stopPropagation();
          onEnd();
        }}
      />
      <Button says="panel.added.save" class="primary" type="submit" />
    </Form>
  );
}
