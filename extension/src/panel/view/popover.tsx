import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** What is shown over the panel, beside what was pressed. */
export interface PopoverProps {
  readonly anchor: { readonly current: HTMLElement | null };
  /** What it is, for who does not see it. */
  readonly label: string;
  /** Escape, a press elsewhere, or the way out by keyboard. */
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

const MARGIN = 8;

/**
 * A small dialogue above what opened it, or below where there is more room. It takes the focus, and gives it back when it
 * is closed by Escape.
 */
export function Popover({ anchor, label, onClose, children }: PopoverProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  const put = () => {
    const [element, from] = [box.current, anchor.current];
    if (element === null || from === null) return;
    const place = from.getBoundingClientRect();
    const above = place.top - 2 * MARGIN;
    const below = innerHeight - place.bottom - 2 * MARGIN;
    element.style.maxHeight = `${Math.max(above, below)}px`;
    const size = element.getBoundingClientRect();
    const isAbove = above >= size.height || above >= below;
    const start = getComputedStyle(element).direction === "rtl" ? place.right - size.width : place.left;
    element.style.left = `${Math.max(MARGIN, Math.min(start, innerWidth - size.width - MARGIN))}px`;
    element.style.top = `${isAbove ? place.top - size.height - MARGIN / 2 : place.bottom + MARGIN / 2}px`;
  };
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    element.showPopover();
    put();
    element.focus();
    const ends = new AbortController();
    const { signal } = ends;
    const elsewhere = ({ target }: Event) => {
      if (target instanceof Node && !element.contains(target) && anchor.current?.contains(target) !== true)
        close.current();
    };
    document.addEventListener("pointerdown", elsewhere, { signal });
    document.addEventListener("focusin", elsewhere, { signal });
    addEventListener("resize", put, { signal });
    // What comes into it later, such as a list, makes it grow.
    const grows = new ResizeObserver(put);
    grows.observe(element);
    return () => {
      ends.abort();
      grows.disconnect();
    };
  }, []);
  // What is in it may have changed its size.
  useLayoutEffect(put);
  return (
    <div
      ref={box}
      popover="manual"
      class="popover"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Escape also stops an answer; here it only closes what is open.
        event.stopPropagation();
        onClose();
        anchor.current?.querySelector<HTMLElement>("[aria-expanded]")?.focus();
      }}
    >
      {children}
    </div>
  );
}
