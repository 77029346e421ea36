import type { Failure } from "@threadlore/ask";
import { visibleText } from "@threadlore/ask";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { adviceFor, causeOf, NOT_AGAIN, OWN, WORDS } from "../ask/failure-words.ts";
import { openSettings } from "../../ui/open-pages.ts";
import type { Panel } from "../panel.ts";
import { untilText } from "../../ui/wording.ts";

interface FailureCardProps {
  readonly failure: Failure;
  /** A part of the answer has come. */
  readonly isPartial: boolean;
  /** Asking again makes sense here. */
  readonly canRepeat: boolean;
  readonly panel: Panel;
}

/** Why there is no complete answer, and what to do about it. */
export function FailureCard({ failure, isPartial, canRepeat, panel }: FailureCardProps): VNode {
  const cause = causeOf(failure, isPartial);
  const advice = adviceFor(cause, {
    // Where IT has set the service's address, nobody here can correct it.
    isManaged: panel.service.value?.isManaged ?? false,
    isOnline: navigator.onLine,
  });
  const words = advice === undefined ? undefined : i18n.t(advice);
  const isOwn = OWN.has(cause);
  const isMild = cause === "cut" || cause === "left";
  const title = i18n.t(WORDS[cause][0]);
  return (
    <div class={isMild ? "notice mild" : "notice"} role="group" aria-label={title}>
      <p class="notice-title">
        <Icon name="warning" />
        {title}
      </p>
      <p>{words ?? visibleText(failure.message)}</p>
      {cause === "limit" || failure.retryAt !== undefined ? <p>{whenText(failure)}</p> : null}
      {words === undefined || isOwn ? null : (
        <details class="exact">
          <summary>{i18n.t("panel.failure.details")}</summary>
          <p dir="auto">{visibleText(failure.message)}</p>
        </details>
      )}
      {canRepeat && (cause === "memory" || cause === "memoryUnknown") ? (
        <MemoryChoice canSwitch={cause === "memory"} panel={panel} />
      ) : null}
      <div class="actions">
        {canRepeat && !NOT_AGAIN.has(cause) ? (
          <Button says="panel.failure.again" class="primary" onClick={() => void panel.conversation.again()} />
        ) : null}
        {cause === "setup" || cause === "key" || cause === "rights" || cause === "reach" || cause === "website" ? (
          <Button
            says="panel.failure.settings"
            class={cause === "reach" ? "quiet" : "primary"}
            onClick={openSettings}
          />
        ) : null}
      </div>
    </div>
  );
}

/** When to ask again, as far as the service says. */
function whenText({ retryAt }: Failure): string {
  return retryAt === undefined
    ? i18n.t("panel.failure.limitLater")
    : i18n.t("panel.failure.retryAt", [untilText(retryAt)]);
}

/** What the person decides about a memory that a page could be written into; nothing was sent until then. */
function MemoryChoice({ canSwitch, panel }: { readonly canSwitch: boolean; readonly panel: Panel }): VNode {
  const state = useSignal<"open" | "busy" | "stuck">("open");
  const choose = async (choice: "off" | "on") => {
    state.value = "busy";
    if (!(await panel.memory(choice))) state.value = "stuck";
  };
  const isBusy = state.value === "busy";
  return (
    <>
      <p role="status">{state.value === "stuck" ? i18n.t("panel.memory.stuck") : ""}</p>
      <div class="actions">
        {canSwitch ? (
          <Button says="panel.memory.switchOff" class="primary" disabled={isBusy} onClick={() => void choose("off")} />
        ) : null}
        <Button
          says={canSwitch ? "panel.memory.leaveOn" : "panel.memory.anyway"}
          disabled={isBusy}
          onClick={() => void choose("on")}
        />
      </div>
    </>
  );
}
