import type { Account } from "@threadlore/client/deployment";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../ui/button.tsx";
import { switchMemoryOff } from "./server-choices.ts";

interface KeyNotesProps {
  /** Whose key it is; undefined where the service does not say. */
  readonly account: Account | undefined;
  /** Called when the service was told something. */
  readonly onChanged: () => Promise<void>;
}

/** What comes with the key: a memory the service keeps for it, and others who may use it. Nothing to see otherwise. */
export function KeyNotes({ account, onChanged }: KeyNotesProps): VNode | null {
  const told = useSignal<"" | "off" | "stuck">("");
  const isBusy = useSignal(false);
  if (account === undefined || account.anonymous) return null;
  const { isService, memory } = account;
  const switchOff = async () => {
    isBusy.value = true;
    told.value = (await switchMemoryOff()) ? "off" : "stuck";
    await onChanged();
    isBusy.value = false;
  };
  return (
    <div class="key-notes">
      {isService ? <p>{i18n.t("options.account.shared")}</p> : null}
      {memory === "on" ? (
        <>
          <p>{i18n.t("options.account.memory")}</p>
          <div class="actions">
            <Button says="options.account.switchOff" disabled={isBusy.value} onClick={() => void switchOff()} />
          </div>
        </>
      ) : null}
      <p class="muted" role="status">
        {told.value === "off" ? i18n.t("options.account.isOff") : ""}
        {told.value === "stuck" ? i18n.t("panel.memory.stuck") : ""}
      </p>
    </div>
  );
}
