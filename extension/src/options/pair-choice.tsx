import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { changeSettings, type EffectiveSettings, type Settings } from "../settings/settings.ts";
import { describedBy, Field } from "./parts.tsx";
import { isPublicPair, type ServerChoices } from "./server-choices.ts";

interface PairChoiceProps {
  readonly settings: EffectiveSettings;
  readonly choices: ServerChoices;
}

/** Where kept pages go, and who will see them. Nothing is chosen until the person does. */
export function PairChoice({ settings, choices }: PairChoiceProps): VNode {
  // Services leave their default place out of the list: an empty one and no place yet leaves only its number.
  const pairs = choices.pairs?.length === 0 && settings.pairId === null ? undefined : choices.pairs;
  const isManaged = settings.managed.has("pairId");
  const choose = (change: Partial<Settings>) => void changeSettings(change);
  return (
    <>
      {pairs === undefined ? (
        <PairNumber settings={settings} />
      ) : (
        <Field
          id="pair"
          label={i18n.t("options.keeping.pair")}
          hint={i18n.t("options.keeping.pairHint")}
          isManaged={isManaged}
        >
          <select
            id="pair"
            aria-describedby={describedBy("pair")}
            disabled={isManaged}
            value={settings.pairId === null ? "" : String(settings.pairId)}
            onChange={(event) => {
              const pair = pairs.find(({ cc_pair_id: id }) => String(id) === event.currentTarget.value);
              choose(
                pair === undefined
                  ? { pairId: null, pairName: "", pairIsPublic: null }
                  : { pairId: pair.cc_pair_id, pairName: pair.name ?? "", pairIsPublic: isPublicPair(pair) },
              );
            }}
          >
            <option value="">{i18n.t("options.keeping.noPair")}</option>
            {settings.pairId === null || pairs.some(({ cc_pair_id: id }) => id === settings.pairId) ? null : (
              <option value={String(settings.pairId)}>{settings.pairName || `#${settings.pairId}`}</option>
            )}
            {pairs.map((pair) => (
              <option key={pair.cc_pair_id} value={String(pair.cc_pair_id)}>
                {`${pair.name ?? `#${pair.cc_pair_id}`}${audience(isPublicPair(pair))}`}
              </option>
            ))}
          </select>
        </Field>
      )}
      {settings.pairId === null ? null : (
        <Field
          id="audience"
          label={i18n.t("options.keeping.audience")}
          hint={i18n.t("options.keeping.audienceHint")}
          isManaged={settings.managed.has("pairIsPublic")}
        >
          <select
            id="audience"
            aria-describedby={describedBy("audience")}
            disabled={settings.managed.has("pairIsPublic")}
            value={String(settings.pairIsPublic)}
            onChange={(event) => {
              const { value } = event.currentTarget;
              // With its number: IT may have chosen it, and what is said here is said of no other.
              choose({ pairId: settings.pairId, pairIsPublic: value === "null" ? null : value === "true" });
            }}
          >
            <option value="null">{i18n.t("options.keeping.audienceUnknown")}</option>
            <option value="true">{i18n.t("options.keeping.audienceAll")}</option>
            <option value="false">{i18n.t("options.keeping.audienceSome")}</option>
          </select>
        </Field>
      )}
    </>
  );
}

function audience(isPublic: boolean | null): string {
  if (isPublic === null) return "";
  return ` — ${isPublic ? i18n.t("options.keeping.public") : i18n.t("options.keeping.restricted")}`;
}

/** For keys that may keep pages and not list where. */
function PairNumber({ settings }: { readonly settings: EffectiveSettings }): VNode {
  const text = useSignal(settings.pairId === null ? "" : String(settings.pairId));
  const isManaged = settings.managed.has("pairId");
  return (
    <Field
      id="pair"
      label={i18n.t("options.keeping.pairNumber")}
      hint={i18n.t("options.keeping.pairNumberHint")}
      isManaged={isManaged}
    >
      <input
        id="pair"
        type="number"
        min={1}
        step={1}
        aria-describedby={describedBy("pair")}
        disabled={isManaged}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onChange={() => {
          const number = Number(text.value);
          const isPair = text.value.trim() !== "" && Number.isSafeInteger(number) && number > 0;
          void changeSettings({ pairId: isPair ? number : null, pairName: "", pairIsPublic: null });
        }}
      />
    </Field>
  );
}
