import { type Signal, useComputed, useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { tagsOf } from "../../keep/used-tags.ts";
import { sendNow, takeBack } from "../../outbox/outbox.ts";
import { removeKept, takeOffList } from "../../outbox/revise.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { clockOf, countOf } from "../../ui/wording.ts";
import { DayList } from "../history/day-list.tsx";
import { wordsOf } from "../history/found.ts";
import { SearchField } from "../history/search-field.tsx";
import { AdditionsForm } from "../adding/additions-form.tsx";
import { acted } from "./acting.ts";
import { problemText } from "./keep-text.ts";
import { canUndo, type KeptRow, rowsWith, withRow } from "./kept-rows.ts";
import { Sure } from "./sure.tsx";
import type { Panel } from "../panel.ts";
import { useKeepers } from "./use-keepers.ts";
import { useKept } from "./use-kept.ts";
import { UndoLine } from "./undo-line.tsx";

/** Most tags that are offered to choose by. */
const MAX_TAGS = 12;

/** What is open of one row, and the row as it was then. */
interface Open {
  readonly row: KeptRow;
  readonly what: "edit" | "remove";
}

/**
 * Pages kept from this browser, by day: found and opened, and in ordinary windows named, tagged and removed. In a private
 * window nothing is changed, as that would be written to the disk.
 */
export function KeptPages({ panel }: { readonly panel: Panel }): VNode {
  const isPrivate = panel.isPrivate.value;
  const { rows, changed, isUnread } = useKept(panel.history.origin);
  const keepers = useKeepers(panel, rows);
  const query = useSignal("");
  const tag = useSignal<string | undefined>(undefined);
  const open = useSignal<Open | undefined>(undefined);
  const problem = useSignal("");
  const list = useRef<HTMLDivElement>(null);
  const tags = useComputed(() => tagsOf(rows.value ?? []).slice(0, MAX_TAGS));
  const words = wordsOf(query.value);
  const all = rows.value ?? [];
  const found = rowsWith(all, words, tag.value);
  // What is being written stays in sight, whatever is looked for, and where another window removes its page.
  const shown = open.value?.what === "edit" ? withRow(found, open.value.row) : found;

  const draw = useMemo(() => {
    /** Does something with a page, and says what went wrong. */
    const act = async (work: Parameters<typeof acted>[0]) => {
      problem.value = "";
      problem.value = await acted(work);
    };
    const close = ({ key }: KeptRow) => {
      open.value = undefined;
      focusRow(list.current, key);
    };
    const does: Doings = {
      open: (row, what) => void (open.value = { row, what }),
      close,
      async remove({ key }) {
        open.value = undefined;
        await act(() => removeKept(key));
      },
      undo: ({ key }) => act(() => takeBack(key)),
      again: ({ key }) => act(() => sendNow(key)),
      takeOff: ({ key }) => act(() => takeOffList(key)),
    };
    // Always the same function with the same signals: of thousands of rows those are drawn again that have changed.
    return (row: KeptRow) => <Row {...{ row, isPrivate, open, changed, keepers, does }} />;
  }, [isPrivate]);
  return (
    <div ref={list} class="kept-pages">
      <SearchField query={query} label={i18n.t("panel.kept.search")} />
      <TagFilter tags={tags.value} chosen={tag} />
      <p class="muted told" role="status">
        {toldOf(rows.value, found.length, { isPrivate, isUnread: isUnread.value })}
      </p>
      {problem.value === "" ? null : (
        <p class="past-problem" role="alert">
          {problem.value}
        </p>
      )}
      <DayList
        items={shown}
        query={`${words.join(" ")} ${tag.value ?? ""}`}
        keyOf={({ key }) => key}
        momentOf={({ at }) => at}
        draw={draw}
      />
    </div>
  );
}

/** What is said of the list: that it is being read, is empty, how much of it is shown, and what cannot be seen or done. */
function toldOf(
  rows: readonly KeptRow[] | undefined,
  shown: number,
  { isPrivate, isUnread }: { readonly isPrivate: boolean; readonly isUnread: boolean },
): string {
  if (rows === undefined) return i18n.t("panel.history.loading");
  if (isUnread) return i18n.t(isPrivate ? "panel.history.unseen" : "panel.kept.unread");
  const empty = rows.length === 0 ? "panel.kept.empty" : "panel.kept.none";
  const count = shown > 0 ? i18n.t("panel.kept.count", shown, [countOf(shown)]) : i18n.t(empty);
  return isPrivate && rows.length > 0 ? `${count} · ${i18n.t("panel.history.private")}` : count;
}

interface TagFilterProps {
  readonly tags: readonly string[];
  readonly chosen: Signal<string | undefined>;
}

function TagFilter({ tags, chosen }: TagFilterProps): VNode | null {
  if (tags.length === 0) return null;
  return (
    <div class="tag-filter" role="group" aria-label={i18n.t("panel.kept.tags")}>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          class="tag"
          aria-pressed={chosen.value === tag}
          onClick={() => (chosen.value = chosen.peek() === tag ? undefined : tag)}
        >
          <bdi>{visibleText(tag)}</bdi>
        </button>
      ))}
    </div>
  );
}

/** What can be done with a row. */
interface Doings {
  open(row: KeptRow, what: Open["what"]): void;
  close(row: KeptRow): void;
  remove(row: KeptRow): Promise<void>;
  undo(row: KeptRow): Promise<void>;
  again(row: KeptRow): Promise<void>;
  takeOff(row: KeptRow): Promise<void>;
}

interface RowProps {
  readonly row: KeptRow;
  readonly isPrivate: boolean;
  readonly open: Signal<Open | undefined>;
  readonly changed: Signal<ReadonlySet<string>>;
  /** Who else keeps pages, in words, by the ids the service gave these. */
  readonly keepers: Signal<ReadonlyMap<string, string>>;
  readonly does: Doings;
}

function Row({ row, isPrivate, open: opened, changed, keepers, does }: RowProps): VNode {
  const open = useComputed(() => (opened.value?.row.key === row.key ? opened.value.what : undefined)).value;
  const isChanged = useComputed(() => changed.value.has(row.key)).value;
  const others = useComputed(() => keepers.value.get(row.serverDocumentId ?? "") ?? "").value;
  const { title, host, link, tags, at, state, entry } = row;
  const name = visibleText(title).trim() || host;
  const isGoing = state === "removing";
  const about = [
    host,
    clockOf(at),
    stateText(state),
    isChanged && state === "sent" ? i18n.t("panel.kept.changed") : "",
  ];
  return (
    <div class="kept-row" data-key={row.key}>
      <div class="kept-line">
        <a class="past-entry" data-entry href={link} target="_blank" rel="noopener noreferrer">
          <span class="past-title" dir="auto">
            {name}
          </span>
          <span class="past-about muted">{about.filter((part) => part !== "").join(" · ")}</span>
          {others === "" ? null : <span class="past-about muted">{visibleText(others)}</span>}
          {tags.length === 0 ? null : (
            <span class="past-tags">
              {tags.map((tag) => (
                <bdi key={tag} class="tag">
                  {visibleText(tag)}
                </bdi>
              ))}
            </span>
          )}
        </a>
        {isGoing || isPrivate ? null : (
          <span class="past-tools">
            <IconButton icon="edit" label={i18n.t("panel.kept.edit", [name])} onClick={() => does.open(row, "edit")} />
            <IconButton
              icon="trash"
              label={i18n.t("panel.kept.remove", [name])}
              onClick={() => does.open(row, "remove")}
            />
          </span>
        )}
      </div>
      {open === "edit" ? (
        <AdditionsForm
          pageKey={row.key}
          title={row.pageTitle}
          additions={row.additions}
          onEnd={() => does.close(row)}
        />
      ) : null}
      {open === "remove" ? <Sure onYes={() => void does.remove(row)} onNo={() => does.close(row)} /> : null}
      {entry === undefined || isPrivate ? null : canUndo(row) && open === undefined ? (
        <UndoLine entry={entry} onUndo={() => void does.undo(row)} />
      ) : entry.problem === undefined ? null : (
        <Problem
          entry={entry}
          onAgain={() => void does.again(row)}
          onTakeOff={() => void does.takeOff(row)}
          onUndo={() => void does.undo(row)}
        />
      )}
    </div>
  );
}

interface ProblemProps {
  readonly entry: NonNullable<KeptRow["entry"]>;
  readonly onAgain: () => void;
  readonly onTakeOff: () => void;
  readonly onUndo: () => void;
}

/** What went wrong with a page, and what can be done: of one that was to be removed, and of one to be sent. */
function Problem({ entry: { problem, removal, state }, onAgain, onTakeOff, onUndo }: ProblemProps): VNode {
  const isRemoval = removal !== undefined;
  const isStopped = state === "stopped";
  return (
    <div class="kept-problem">
      <p>{problemText(problem, isRemoval)}</p>
      <div class="actions">
        <Button says="panel.failure.again" onClick={onAgain} />
        {isRemoval && isStopped ? <Button says="panel.kept.takeOff" class="primary" onClick={onTakeOff} /> : null}
        {isRemoval ? <Button says="panel.kept.decline" onClick={onUndo} /> : null}
        {!isRemoval && isStopped ? <Button says="panel.keep.discard" onClick={onUndo} /> : null}
      </div>
    </div>
  );
}

function stateText(state: KeptRow["state"]): string {
  if (state === "sent") return "";
  return i18n.t(state === "removing" ? "panel.keep.removing" : (`panel.kept.${state}` as const));
}

function focusRow(list: HTMLElement | null, key: string): void {
  const row = [...(list?.querySelectorAll<HTMLElement>("[data-key]") ?? [])].find((one) => one.dataset["key"] === key);
  row?.querySelector<HTMLElement>("[data-entry]")?.focus();
}
