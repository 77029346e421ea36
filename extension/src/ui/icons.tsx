import type { VNode } from "preact";

/** Outlines of our own, drawn on a grid of 24. */
const PATHS = {
  send: "M4 12l16-8-6 16-3-6z",
  stop: "M7 7h10v10H7z",
  page: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  company: "M4 7c0-2 4-3 8-3s8 1 8 3-4 3-8 3-8-1-8-3zM4 7v10c0 2 4 3 8 3s8-1 8-3V7M4 12c0 2 4 3 8 3s8-1 8-3",
  keep: "M6 4h12v16l-6-4-6 4z",
  kept: "M6 4h12v16l-6-4-6 4zM9 9l2 2 4-4",
  edit: "M5 19l1-4.500L16.500 4l3.500 3.500L9.500 18zM14 6.500l3.500 3.500",
  mark: "M5 21h14M8.500 12.500l3 3M7 17l1.500-4.500L16 5l3.500 3.500-7.500 7.500z",
  copy: "M8 8h11v12H8zM5 16V4h11",
  check: "M5 13l4 4L19 7",
  again: "M19 12a7 7 0 1 1-2-5M19 3v5h-5",
  undo: "M8 5L4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-4",
  up: "M7 11v9H4v-9zM7 11l4-8c2 0 3 1 3 3l-1 4h6l-2 10H7",
  down: "M17 13V4h3v9zM17 13l-4 8c-2 0-3-1-3-3l1-4H5L7 4h10",
  history: "M12 7v5l3 2M4 12a8 8 0 1 0 3-6M4 4v4h4",
  fresh: "M12 5v14M5 12h14",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  open: "M9 5H5v14h14v-4M13 5h6v6M19 5l-8 8",
  more: "M7 10l5 5 5-5",
  pin: "M9 4h6l-1 6 4 3v2H6v-2l4-3zM12 15v5",
  pinned: "M9 4h6l-1 6 4 3v2H6v-2l4-3zM12 15v5M4 4l16 16",
  allowed: "M6 11h12v9H6zM8.5 11V8a3.5 3.500 0 0 1 6.500-1.800M9.500 15.500l2 2 3-4",
  close: "M6 6l12 12M18 6L6 18",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.5",
  people:
    "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 20c0-4 3-6 6-6s6 2 6 6M16 5.5a3 3 0 0 1 0 5.5M17.5 14.5c2 .8 3.5 2.700 3.500 5.500",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  allow: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.500-1.800M12 14.500v2.500",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  thread: "M3 8.5c4-5 7-5 9 0s5 5 9 0M3 15.5c4-5 7-5 9 0s5 5 9 0",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof PATHS;

/** A picture beside a word or inside a labelled button; says nothing by itself. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
