import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { LOCAL_SERVICE, type PairingFailure, type PairingOutcome, pairWithLocalService } from "../pairing/pairing.ts";
import { Complaint, Field, writes } from "./parts.tsx";

interface PairingFormProps {
  /** No service was found where they usually are, so that its address is asked for at once. */
  readonly isElsewhere?: boolean;
  readonly onPaired?: () => void;
}

/** Pairing with the service on this machine, by the code its terminal shows. */
export function PairingForm({ isElsewhere = false, onPaired }: PairingFormProps): VNode {
  const address = useSignal(LOCAL_SERVICE);
  const code = useSignal("");
  const isPairing = useSignal(false);
  const outcome = useSignal<PairingOutcome | undefined>(undefined);
  const pair = async () => {
    if (isPairing.value || code.value.trim() === "") return;
    isPairing.value = true;
    outcome.value = await pairWithLocalService(code.value, address.value);
    isPairing.value = false;
    if (outcome.value.paired) onPaired?.();
  };
  return (
    <Form class="form" onSend={() => void pair()}>
      <Field id="pairing-code" label={i18n.t("options.pairing.code")} hint={i18n.t("options.pairing.hint")}>
        <input
          class="code-input"
          autocapitalize="characters"
          autocomplete="one-time-code"
          type="text"
          {...writes(code)}
        />
      </Field>
      <details class="more" open={isElsewhere}>
        <summary>{i18n.t("options.pairing.elsewhere")}</summary>
        <Field id="pairing-address" words="pairing.address">
          <input type="url" spellcheck={false} {...writes(address)} />
        </Field>
      </details>
      <div class="actions">
        <Button
          says="options.pairing.pair"
          type="submit"
          class="primary"
          disabled={isPairing.value || code.value.trim() === ""}
        />
      </div>
      <div role="status">{outcome.value === undefined ? null : <PairingResult outcome={outcome.value} />}</div>
    </Form>
  );
}

function PairingResult({ outcome }: { readonly outcome: PairingOutcome }): VNode {
  if (outcome.paired) {
    return <p>{i18n.t(outcome.role === "ordinary" ? "options.pairing.pairedOrdinary" : "options.pairing.paired")}</p>;
  }
  return <Complaint text={i18n.t(WHY_NOT[outcome.why])} />;
}

const WHY_NOT = {
  "no-service": "options.pairing.noService",
  "not-here": "options.pairing.notHere",
  "wrong-code": "options.pairing.wrongCode",
  failed: "options.pairing.failed",
} as const satisfies Record<PairingFailure, string>;
