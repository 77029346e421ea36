import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../ui/button.tsx";
import { isLoopback } from "@threadlore/client";
import type { EffectiveSettings } from "../settings/settings.ts";
import { connect, type ConnectOutcome, type ServiceForm } from "./connect.ts";
import { describedBy, Field, Outcome } from "./parts.tsx";

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
  const form = useSignal<ServiceForm>({
    baseUrl: settings.baseUrl,
    askKey: "",
    ingestKey: "",
    keyStorage: settings.keyStorage,
  });
  const outcome = useSignal<ConnectOutcome | undefined>(undefined);
  const isTrying = useSignal(false);
  // Another service was set elsewhere, by pairing or in another window.
  useEffect(() => {
    if (!isTrying.peek()) form.value = { ...form.peek(), baseUrl: settings.baseUrl };
  }, [settings.baseUrl]);
  const fill = (change: Partial<ServiceForm>) => (form.value = { ...form.value, ...change });
  const isManaged = (name: "baseUrl" | "keyStorage") => settings.managed.has(name);
  const submit = async () => {
    if (isTrying.value) return;
    isTrying.value = true;
    outcome.value = undefined;
    onTry?.();
    // Nothing is awaited before this: the browser asks for access only in the click itself.
    const tried = await connect(form.value).finally(() => (isTrying.value = false));
    outcome.value = tried;
    if (tried.kind === "tried") {
      const foundAt = tried.findings.find((finding) => finding.foundAt !== undefined)?.foundAt;
      fill({ askKey: "", ingestKey: "", ...(foundAt === undefined ? {} : { baseUrl: foundAt }) });
    }
    onTried?.(tried);
  };
  const kept = hasKey ? i18n.t("options.service.keyKept") : "";
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        id="base-url"
        label={i18n.t("options.service.address")}
        hint={addressHint(form.value.baseUrl)}
        isManaged={isManaged("baseUrl")}
      >
        <input
          id="base-url"
          type="url"
          required
          placeholder="https://knowledge.example.com/api"
          aria-describedby={describedBy("base-url")}
          disabled={isManaged("baseUrl")}
          value={form.value.baseUrl}
          onInput={(event) => fill({ baseUrl: event.currentTarget.value })}
        />
      </Field>
      <Field id="ask-key" label={i18n.t("options.service.key")} hint={i18n.t("options.service.keyHint")}>
        <KeyInput id="ask-key" placeholder={kept} value={form.value.askKey} onInput={(askKey) => fill({ askKey })} />
      </Field>
      <details class="more" open={hasIngestKey}>
        <summary>{i18n.t("options.service.ingestKey")}</summary>
        <Field
          id="ingest-key"
          label={i18n.t("options.service.ingestKey")}
          hint={i18n.t("options.service.ingestKeyHint")}
        >
          <KeyInput
            id="ingest-key"
            placeholder={hasIngestKey ? kept : ""}
            value={form.value.ingestKey}
            onInput={(ingestKey) => fill({ ingestKey })}
          />
        </Field>
      </details>
      <KeyStorage
        isManaged={isManaged("keyStorage")}
        chosen={form.value.keyStorage}
        onChoose={(keyStorage) => fill({ keyStorage })}
      />
      <div class="actions">
        <Button
          text={isTrying.value ? i18n.t("options.service.trying") : i18n.t("options.service.save")}
          type="submit"
          class="primary"
          disabled={isTrying.value}
        />
      </div>
      <div role="status">{outcome.value === undefined ? null : <Outcome outcome={outcome.value} />}</div>
    </form>
  );
}

interface KeyStorageProps {
  readonly isManaged: boolean;
  readonly chosen: ServiceForm["keyStorage"];
  readonly onChoose: (place: ServiceForm["keyStorage"]) => void;
}

function KeyStorage({ isManaged, chosen, onChoose }: KeyStorageProps): VNode {
  return (
    <fieldset disabled={isManaged}>
      <legend>{i18n.t("options.service.storage")}</legend>
      {(["local", "session"] as const).map((place) => (
        <label key={place} class="choice">
          <input type="radio" name="key-storage" checked={chosen === place} onChange={() => onChoose(place)} />
          {place === "local" ? i18n.t("options.service.storageLocal") : i18n.t("options.service.storageSession")}
        </label>
      ))}
    </fieldset>
  );
}

interface KeyInputProps {
  readonly id: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function KeyInput({ id, placeholder, value, onInput }: KeyInputProps): VNode {
  return (
    <input
      id={id}
      type="password"
      autocomplete="off"
      spellcheck={false}
      aria-describedby={describedBy(id)}
      placeholder={placeholder}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

function addressHint(address: string): string {
  const url = URL.parse(address.trim());
  if (url === null || url.host === "" || isLoopback(url.hostname)) return i18n.t("options.service.addressHint");
  return i18n.t("options.service.addressAsks", [url.host]);
}
