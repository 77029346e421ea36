import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { isLoopback } from "@threadlore/client";
import type { EffectiveSettings } from "../settings/settings.ts";
import { connect, type ConnectOutcome } from "./connect.ts";
import { Field, Outcome, writes } from "./parts.tsx";

interface ServiceFormProps {
  readonly settings: EffectiveSettings;
  /** There is a key for the service that is set. */
  readonly hasKey: boolean;
  readonly hasIngestKey: boolean;
  /** Called before anything is saved. */
  readonly onTry?: () => void;
  /** Called when a connection was tried, whatever was found. */
  readonly onTried?: (outcome: ConnectOutcome) => void;
}

/** Address and keys of the service, tried as soon as they are saved. */
export function ServiceFormView({ settings, hasKey, hasIngestKey, onTry, onTried }: ServiceFormProps): VNode {
  const baseUrl = useSignal(settings.baseUrl);
  const askKey = useSignal("");
  const ingestKey = useSignal("");
  const keyStorage = useSignal(settings.keyStorage);
  const outcome = useSignal<ConnectOutcome | undefined>(undefined);
  const isTrying = useSignal(false);
  // Another service was set elsewhere, by pairing or in another window.
  useEffect(() => {
    if (!isTrying.peek()) baseUrl.value = settings.baseUrl;
  }, [settings.baseUrl]);
  const submit = async () => {
    if (isTrying.value) return;
    isTrying.value = true;
    outcome.value = undefined;
    onTry?.();
    const form = {
      baseUrl: baseUrl.value,
      askKey: askKey.value,
      ingestKey: ingestKey.value,
      keyStorage: keyStorage.value,
    };
    // Nothing is awaited before this: the browser asks for access only in the click itself.
    const tried = await connect(form).finally(() => (isTrying.value = false));
    outcome.value = tried;
    if (tried.kind === "tried") {
      askKey.value = ingestKey.value = "";
      baseUrl.value = tried.findings.find(({ foundAt }) => foundAt !== undefined)?.foundAt ?? baseUrl.value;
    }
    onTried?.(tried);
  };
  const kept = hasKey ? i18n.t("options.service.keyKept") : "";
  const key = { type: "password", autocomplete: "off", spellcheck: false } as const;
  return (
    <Form class="form" onSend={() => void submit()}>
      <Field
        id="base-url"
        words="service.address"
        hint={addressHint(baseUrl.value)}
        isManaged={settings.managed.has("baseUrl")}
      >
        <input type="url" required placeholder="https://knowledge.example.com/api" {...writes(baseUrl)} />
      </Field>
      <Field id="ask-key" words="service.key">
        <input {...key} placeholder={kept} {...writes(askKey)} />
      </Field>
      <details class="more" open={hasIngestKey}>
        <summary>{i18n.t("options.service.ingestKey")}</summary>
        <Field id="ingest-key" words="service.ingestKey">
          <input {...key} placeholder={hasIngestKey ? kept : ""} {...writes(ingestKey)} />
        </Field>
      </details>
      <fieldset disabled={settings.managed.has("keyStorage")}>
        <legend>{i18n.t("options.service.storage")}</legend>
        {(["local", "session"] as const).map((place) => (
          <label key={place} class="choice">
            <input
              type="radio"
              name="key-storage"
              checked={keyStorage.value === place}
              onChange={() => (keyStorage.value = place)}
            />
            {i18n.t(place === "local" ? "options.service.storageLocal" : "options.service.storageSession")}
          </label>
        ))}
      </fieldset>
      <div class="actions">
        <Button
          says={isTrying.value ? "options.service.trying" : "options.service.save"}
          type="submit"
          class="primary"
          disabled={isTrying.value}
        />
      </div>
      <div role="status">{outcome.value === undefined ? null : <Outcome outcome={outcome.value} />}</div>
    </Form>
  );
}

function addressHint(address: string): string {
  const url = URL.parse(address.trim());
  if (url === null || url.host === "" || isLoopback(url.hostname)) return i18n.t("options.service.addressHint");
  return i18n.t("options.service.addressAsks", [url.host]);
}
