import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../ui/icons.tsx";

interface SearchFieldProps {
  readonly query: Signal<string>;
  /** What is searched, as its label. */
  readonly label: string;
}

/** Where words to look for are written; it has the focus when it comes. Escape empties it first. */
export function SearchField({ query, label }: SearchFieldProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={query.value}
        onInput={({ currentTarget }) => void (query.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Escape" && query.peek() !== "") {
            query.value = "";
            event.stopPropagation();
          }
          if (event.key !== "ArrowDown") return;
          event.currentTarget.closest("main")?.querySelector<HTMLElement>("[data-entry]")?.focus();
          event.preventDefault();
        }}
      />
    </label>
  );
}
