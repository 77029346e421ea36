import type { Failure } from "@threadlore/ask";
import { visibleText } from "@threadlore/ask";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { adviceFor, causeOf, NOT_AGAIN, OWN, WORDS } from "../ask/failure-words.ts";
import { untilText } from "../../ui/wording.ts";

/** What a person can do about a failure, beside asking again. */
export interface FailureActions {
  readonly onSettings: () => void;
  /** Switches the service's memory off and asks again, or asks with it on. False: it could not be switched off. */
  readonly onMemory: (choice: "off" | "on") => Promise<boolean>;
}

interface FailureCardProps extends FailureActions {
  readonly failure: Failure;
  /** A part of the answer has come. */
  readonly isPartial: boolean;
  /** IT has set the service's address: nobody here can correct it. */
  readonly isManaged: boolean;
  /** Absent where asking again makes no sense here. */
  readonly onAgain?: (() => void) | undefined;
}

/** Why there is no complete answer, and what to do about it. */
export function FailureCard({ failure, isPartial, isManaged, onAgain, ...actions }: FailureCardProps): VNode {
  const { onSettings } = actions;
  const cause = causeOf(failure, isPartial);
  const advice = adviceFor(cause, { isManaged, isOnline: navigator.onLine });
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
      {onAgain !== undefined && (cause === "memory" || cause === "memoryUnknown") ? (
        <MemoryChoice canSwitch={cause === "memory"} onMemory={actions.onMemory} />
      ) : null}
      <div class="actions">
        {onAgain === undefined || NOT_AGAIN.has(cause) ? null : (
          <Button text={i18n.t("panel.failure.again")} class="primary" onClick={onAgain} />
        )}
        {cause === "setup" || cause === "key" || cause === "rights" || cause === "reach" || cause === "website" ? (
          <Button
            text={i18n.t("panel.failure.settings")}
            class={cause === "reach" ? "quiet" : "primary"}
            onClick={onSettings}
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
function MemoryChoice({
  canSwitch,
  onMemory,
}: { readonly canSwitch: boolean } & Pick<FailureActions, "onMemory">): VNode {
  const state = useSignal<"open" | "busy" | "stuck">("open");
  const choose = async (choice: "off" | "on") => {
    state.value = "busy";
    if (!(await onMemory(choice))) state.value = "stuck";
  };
  const isBusy = state.value === "busy";
  return (
    <>
      <p role="status">{state.value === "stuck" ? i18n.t("panel.memory.stuck") : ""}</p>
      <div class="actions">
        {canSwitch ? (
          <Button
            text={i18n.t("panel.memory.switchOff")}
            class="primary"
            disabled={isBusy}
            onClick={() => void choose("off")}
          />
        ) : null}
        <Button
          text={i18n.t(canSwitch ? "panel.memory.leaveOn" : "panel.memory.anyway")}
          disabled={isBusy}
          onClick={() => void choose("on")}
        />
      </div>
    </>
  );
}
