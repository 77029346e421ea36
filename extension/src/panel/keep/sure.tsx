import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";

/** Asks once before a page goes. */
export function Sure({ onYes, onNo }: { readonly onYes: () => void; readonly onNo: () => void }): VNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector("button")?.focus(), []);
  return (
    <div
      ref={box}
      class="kept-sure"
      role="group"
      aria-label={i18n.t("panel.kept.sure")}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onNo();
      }}
    >
      <p>{i18n.t("panel.kept.sure")}</p>
      <div class="actions">
        <Button says="panel.kept.agree" class="primary" onClick={onYes} />
        <Button says="panel.kept.decline" onClick={onNo} />
      </div>
    </div>
  );
}
