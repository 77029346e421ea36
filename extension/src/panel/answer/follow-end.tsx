import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import type { Conversation } from "../ask/conversation.ts";

/** How near to its end a conversation counts as being read there, in pixels. */
const NEAR = 48;

/** Keys that scroll up. */
const UP_KEYS = new Set(["ArrowUp", "Home", "PageUp"]);

/**
 * Keeps the end in view while an answer grows, until its reader leaves it: by wheel or key before anything
 * moves, or by whatever scrolls it up. Events of scrolling come late, when more has arrived: how far the end is away says
 * nothing by itself.
 */
export function FollowEnd({ conversation }: { readonly conversation: Conversation }): VNode | null {
  const end = useRef<HTMLDivElement>(null);
  const isAway = useSignal(false);
  const box = () => end.current?.parentElement ?? undefined;
  /** Where it was looked at last: what this panel scrolls itself is no sign of its reader. */
  const last = useRef({ top: 0, height: 0 });
  const look = ({ scrollTop: top, scrollHeight: height }: HTMLElement) => void (last.current = { top, height });
  const toEnd = () => {
    const element = box();
    if (element === undefined || isAway.peek()) return;
    element.scrollTop = element.scrollHeight;
    look(element);
  };
  useEffect(() => {
    const element = box();
    if (element === undefined) return undefined;
    look(element);
    const leave = () => {
      if (element.scrollTop > 0) isAway.value = true;
    };
    const scrolled = () => {
      const { top, height } = last.current;
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR;
      // What has become shorter moves up by itself.
      if (element.scrollTop < top && element.scrollHeight >= height) leave();
      else if (element.scrollTop > top && isNear) isAway.value = false;
      look(element);
    };
    const wheeled = ({ deltaY }: WheelEvent) => deltaY < 0 && leave();
    const pressed = ({ key, shiftKey }: KeyboardEvent) => {
      if (UP_KEYS.has(key) || (key === " " && shiftKey)) leave();
    };
    // Before anything is painted: a frame later the end of a quick answer is out of view each time.
    const grown = new ResizeObserver(() => conversation.isBusy.peek() && toEnd());
    const watched = conversation.turns.subscribe(() => {
      requestAnimationFrame(() => {
        grown.disconnect();
        for (const part of [element, ...element.querySelectorAll(".turn:last-of-type")]) grown.observe(part);
      });
    });
    const ends = new AbortController();
    const options = { passive: true, signal: ends.signal };
    element.addEventListener("scroll", scrolled, options);
    element.addEventListener("wheel", wheeled, options);
    element.addEventListener("keydown", pressed, options);
    return () => {
      ends.abort();
      watched();
      grown.disconnect();
    };
  }, []);
  useSignalEffect(() => {
    const turns = conversation.turns.value;
    void turns.at(-1)?.answer.value;
    // Once the new text is there.
    queueMicrotask(() => requestAnimationFrame(toEnd));
  });
  // A new question is always shown.
  const count = useComputed(() => conversation.turns.value.length);
  useSignalEffect(() => {
    void count.value;
    isAway.value = false;
    requestAnimationFrame(toEnd);
  });
  return (
    <div ref={end} class="end">
      {isAway.value && conversation.isBusy.value ? (
        <button
          type="button"
          class="to-end"
          onClick={() => {
            isAway.value = false;
            toEnd();
          }}
        >
          {i18n.t("panel.answer.toEnd")}
        </button>
      ) : null}
    </div>
  );
}
