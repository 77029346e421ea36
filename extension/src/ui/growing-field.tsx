import type { RefObject, TextareaHTMLAttributes, VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { isSending } from "./form.tsx";

/** Beyond it a field scrolls, in pixels. */
const MAX_HEIGHT = 220;

interface GrowingFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
  readonly onWrite: (text: string) => void;
  /** By Enter; with Shift that begins a line. Absent: it always does. */
  readonly onSend?: () => void;
  /** Keys that do something else besides. */
  readonly onKey?: (event: KeyboardEvent) => void;
}

/** A field of one line that grows with what is written in it. */
export function GrowingField({ field, value, onWrite, onSend, onKey, ...rest }: GrowingFieldProps): VNode {
  useLayoutEffect(() => fit(field.current), [value]);
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return undefined;
    let width = element.clientWidth;
    // A panel is made narrower while something is written: its lines become more.
    const watch = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      fit(element);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <textarea
      ref={field}
      rows={1}
      dir="auto"
      value={value}
      onInput={(event) => onWrite(event.currentTarget.value)}
      onKeyDown={(event) => {
        onKey?.(event);
        if (onSend === undefined || !isSending(event)) return;
        event.preventDefault();
        onSend();
      }}
      {...rest}
    />
  );
}

/** Makes a field as high as what is written in it. */
function fit(element: HTMLTextAreaElement | null): void {
  if (element === null) return;
  element.style.height = "auto";
  element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT)}px`;
}
