import { type Signal, useComputed, useSignal } from "@preact/signals";
import { visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { i18n } from "#i18n";
import type { KeptAdditions } from "../../keep/additions.ts";
import { tagsOf } from "../../keep/used-tags.ts";
import { sendNow, takeBack } from "../../outbox/outbox.ts";
import { removeKept, revise, takeOffList } from "../../outbox/revise.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { clockOf, countOf } from "../../ui/wording.ts";
import { DayList } from "../history/day-list.tsx";
import { wordsOf } from "../history/found.ts";
import { SearchField } from "../history/search-field.tsx";
import { acted } from "./acting.ts";
import { AdditionsForm } from "./additions-form.tsx";
import { problemText } from "./keep-text.ts";
import { canUndo, type KeptRow, rowsWith } from "./kept-rows.ts";
import { Sure } from "./sure.tsx";
import { useKept } from "./use-kept.ts";
import { UndoLine } from "./undo-line.tsx";

/** Most tags that are offered to choose by. */
const MAX_TAGS = 12;

/** What is open of one row. */
interface Open {
  readonly key: string;
  readonly what: "edit" | "remove";
}

/** Pages kept from this browser, by day: found, opened, named, tagged and removed. */
export function KeptPages({ origin }: { readonly origin: string }): VNode {
  const { rows, changed, isUnread } = useKept(origin);
  const query = useSignal("");
  const tag = useSignal<string | undefined>(undefined);
  const open = useSignal<Open | undefined>(undefined);
  const problem = useSignal("");
  const list = useRef<HTMLDivElement>(null);
  const tags = useComputed(() => tagsOf(rows.value ?? []).slice(0, MAX_TAGS));
  const words = wordsOf(query.value);
  const all = rows.value ?? [];
  const shown = rowsWith(all, words, tag.value);

  /** Does something with a page, and says what went wrong. */
  const act = async (work: () => Promise<unknown>) => {
    problem.value = "";
    problem.value = await acted(work);
  };
  const close = (key: string) => {
    open.value = undefined;
    focusRow(list.current, key);
  };
  return (
    <div ref={list} class="kept-pages">
      <SearchField query={query} label={i18n.t("panel.kept.search")} />
      <TagFilter tags={tags.value} chosen={tag} />
      <p class="muted told" role="status">
        {toldOf(rows.value, shown.length)}
        {isUnread.value ? i18n.t("panel.kept.unread") : ""}
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
        draw={(row) => (
          <Row
            row={row}
            isChanged={changed.value.has(row.key)}
            open={open.value?.key === row.key ? open.value.what : undefined}
            onOpen={(what) => (open.value = { key: row.key, what })}
            onClose={() => close(row.key)}
            onRevise={(given) => {
              close(row.key);
              void act(() => revise(row.key, given));
            }}
            onRemove={() => {
              open.value = undefined;
              void act(() => removeKept(row.key));
            }}
            onUndo={() => void act(() => takeBack(row.key))}
            onAgain={() => void act(() => sendNow(row.key))}
            onTakeOff={() => void act(() => takeOffList(row.key))}
          />
        )}
      />
    </div>
  );
}

/** What is said of the list: that it is being read, is empty, or how much of it is shown. */
function toldOf(rows: readonly KeptRow[] | undefined, shown: number): string {
  if (rows === undefined) return i18n.t("panel.history.loading");
  if (shown > 0) return i18n.t("panel.kept.count", shown, [countOf(shown)]);
  return i18n.t(rows.length === 0 ? "panel.kept.empty" : "panel.kept.none");
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

interface RowProps {
  readonly row: KeptRow;
  readonly isChanged: boolean;
  readonly open: Open["what"] | undefined;
  readonly onOpen: (what: Open["what"]) => void;
  readonly onClose: () => void;
  readonly onRevise: (additions: KeptAdditions) => void;
  readonly onRemove: () => void;
  readonly onUndo: () => void;
  readonly onAgain: () => void;
  readonly onTakeOff: () => void;
}

function Row({ row, isChanged, open, onOpen, onClose, ...does }: RowProps): VNode {
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
        {isGoing ? null : (
          <span class="past-tools">
            <IconButton icon="edit" label={i18n.t("panel.kept.edit", [name])} onClick={() => onOpen("edit")} />
            <IconButton icon="trash" label={i18n.t("panel.kept.remove", [name])} onClick={() => onOpen("remove")} />
          </span>
        )}
      </div>
      {open === "edit" ? (
        <AdditionsForm title={row.pageTitle} additions={row.additions} onDone={does.onRevise} onLeave={onClose} />
      ) : null}
      {open === "remove" ? <Sure onYes={does.onRemove} onNo={onClose} /> : null}
      {entry !== undefined && canUndo(row) && open === undefined ? (
        <UndoLine entry={entry} onUndo={does.onUndo} />
      ) : entry?.problem === undefined ? null : (
        <Problem entry={entry} {...does} />
      )}
    </div>
  );
}

/** What went wrong with a page, and what can be done: of one that was to be removed, and of one to be sent. */
function Problem({
  entry: { problem, removal, state },
  onAgain,
  onTakeOff,
  onUndo,
}: Pick<RowProps, "onAgain" | "onTakeOff" | "onUndo"> & { readonly entry: NonNullable<KeptRow["entry"]> }): VNode {
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
