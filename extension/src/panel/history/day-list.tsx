import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { spoken } from "../../ui/wording.ts";
import { byDay } from "./days.ts";

/** Rows drawn at first, and as many more each time the end of them comes into sight. */
const PAGE = 60;

interface DayListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Milliseconds since 1970; 0: not known. */
  readonly momentOf: (item: Item) => number;
  readonly draw: (item: Item) => ComponentChildren;
  /** Stands for what is looked for: another one begins at the top. */
  readonly query: string;
}

/** Rows under the day they belong to, newest first; of very many, those that are near. Arrows go from row to row. */
export function DayList<Item>({ items, keyOf, momentOf, draw, query }: DayListProps<Item>): VNode {
  const shown = useSignal(PAGE);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => void (shown.value = PAGE), [query]);
  const hasMore = items.length > shown.value;
  useEffect(() => {
    if (end.current === null) return undefined;
    const near = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) shown.value += PAGE;
      },
      { rootMargin: "400px" },
    );
    near.observe(end.current);
    return () => near.disconnect();
  }, [hasMore, shown.value, items]);
  return (
    <div class="days" onKeyDown={goAlong}>
      {byDay(items.slice(0, shown.value), momentOf, spoken()).map(({ title, items: rows }, index) => (
        <section key={`${title} ${index}`} aria-label={title || i18n.t("panel.history.undated")}>
          <h3>{title || i18n.t("panel.history.undated")}</h3>
          <ul>
            {rows.map((row) => (
              <li key={keyOf(row)}>
                <Drawn item={row} draw={draw} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hasMore ? <div ref={end} class="days-end" /> : null}
    </div>
  );
}

interface DrawnProps<Item> {
  readonly item: Item;
  readonly draw: (item: Item) => ComponentChildren;
}

/** One row, as a component of its own: where only more rows come, those before them are not drawn again. */
function Drawn<Item>({ item, draw }: DrawnProps<Item>): VNode {
  return <>{draw(item)}</>;
}

/** What one row is opened with. */
const ENTRIES = "[data-entry]";

function goAlong(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const { key, currentTarget: list, target } = event;
  if (!(target instanceof HTMLElement) || !/^(?:Arrow(?:Down|Up)|Home|End)$/.test(key)) return;
  if (target.matches("input")) return;
  const entries = [...list.querySelectorAll<HTMLElement>(ENTRIES)];
  const at = entries.findIndex((entry) => entry === target || entry.closest("li")?.contains(target) === true);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[key];
  const entry = next === undefined ? undefined : entries[next];
  if (entry !== undefined) entry.focus();
  else if (next === -1) list.parentElement?.querySelector<HTMLElement>("input")?.focus();
  event.preventDefault();
}
