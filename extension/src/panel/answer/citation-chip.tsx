import type { ReaderMark, Source } from "@threadlore/ask";
import { visibleText } from "@threadlore/ask";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Icon } from "../../ui/icons.tsx";
import type { PanelLinks } from "./links.ts";
import { nearest } from "./passage-link.ts";
import { saidAt } from "./said-at.ts";
import { dayOf, hostOf } from "../../ui/wording.ts";

interface ChipProps {
  readonly mark: ReaderMark;
  readonly links: PanelLinks;
}

let cards = 0;

const HOVER_MS = 180;
const LEAVE_MS = 220;

/** A numbered chip. Pointing at it, or pressing it, shows the card of the document it cites. */
export function CitationChip({ mark, links }: ChipProps): VNode {
  const isOpen = useSignal(false);
  const chip = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Each chip of an answer is rendered by itself, where Preact's own ids would all be the same.
  const id = useMemo(() => `card-${(cards += 1)}`, []);
  const show = (open: boolean) => {
    clearTimeout(timer.current);
    isOpen.value = open;
  };
  const later = (open: boolean, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(show, ms, open);
  };
  return (
    <span
      class="chip-place"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen.peek()) return;
        // Escape also stops an answer; here it only closes the card.
        event.stopPropagation();
        later(false, 0);
        chip.current?.focus();
      }}
      onPointerEnter={(event) => event.pointerType === "mouse" && later(true, HOVER_MS)}
      onPointerLeave={(event) => event.pointerType === "mouse" && later(false, LEAVE_MS)}
    >
      <button
        ref={chip}
        type="button"
        class="chip"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        aria-label={i18n.t("panel.citation.chip", [String(mark.number), visibleText(mark.source.title)])}
        onClick={() => show(!isOpen.value)}
      >
        {mark.number}
      </button>
      {isOpen.value ? (
        <PreviewCard id={id} mark={mark} links={links} anchor={chip} onClose={() => show(false)} />
      ) : null}
    </span>
  );
}

interface CardProps extends ChipProps {
  readonly id: string;
  readonly anchor: { readonly current: HTMLButtonElement | null };
  readonly onClose: () => void;
}

const MARGIN = 8;
const MAX_EXCERPT = 280;

function PreviewCard({ id, mark, links, anchor, onClose }: CardProps): VNode {
  const card = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const [element, chip] = [card.current, anchor.current];
    if (element === null || chip === null) return;
    element.showPopover();
    const put = () => {
      const place = chip.getBoundingClientRect();
      const size = element.getBoundingClientRect();
      const left = Math.min(Math.max(MARGIN, place.left - MARGIN), innerWidth - size.width - MARGIN);
      const below = place.bottom + MARGIN / 2;
      const top = below + size.height > innerHeight - MARGIN ? place.top - size.height - MARGIN / 2 : below;
      element.style.left = `${Math.max(MARGIN, left)}px`;
      element.style.top = `${Math.max(MARGIN, top)}px`;
    };
    put();
    const log = chip.closest(".conversation");
    const elsewhere = (event: Event) => {
      if (!(event.target instanceof Node) || chip.parentElement?.contains(event.target) !== true) onClose();
    };
    const ends = new AbortController();
    const { signal } = ends;
    log?.addEventListener("scroll", put, { passive: true, signal });
    document.addEventListener("pointerdown", elsewhere, { signal });
    document.addEventListener("focusin", elsewhere, { signal });
    return () => ends.abort();
  }, []);
  const { source } = mark;
  const said = anchor.current === null ? "" : saidAt(anchor.current);
  const href = links.open(source, said);
  const passage = nearest(links.passages(source), said)?.text;
  return (
    <span ref={card} id={id} popover="manual" class="card" role="group" aria-label={visibleText(source.title)}>
      <span class="card-title" dir="auto">
        <span class="card-number">{mark.number}</span>
        {visibleText(source.title)}
      </span>
      <SourceLine source={source} />
      {passage === undefined ? null : (
        <span class="card-passage" dir="auto">
          {excerptOf(passage)}
        </span>
      )}
      {href === undefined ? (
        <span class="card-note">{i18n.t("panel.citation.noLink")}</span>
      ) : (
        <a class="card-open" href={href} target="_blank" rel="noopener noreferrer">
          {i18n.t("panel.citation.open")}
          <Icon name="open" />
        </a>
      )}
    </span>
  );
}

/** Where a document lies and how old it is. */
export function SourceLine({ source }: { readonly source: Source }): VNode | null {
  const { link, updatedAt } = source;
  const parts = [link && hostOf(link), updatedAt && dayOf(updatedAt)].filter(Boolean);
  return parts.length === 0 ? null : <span class="source-line">{visibleText(parts.join(" · "))}</span>;
}

function excerptOf(passage: string): string {
  const text = visibleText(passage).replace(/\s+/g, " ").trim();
  return text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT).replace(/\s+\S*$/, "")} …`;
}
