import { useSignal } from "@preact/signals";
import type { ListedPair } from "@threadlore/client/deployment";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { changeSettings, type EffectiveSettings, NO_PAIR } from "../settings/settings.ts";
import { Field, writes } from "./parts.tsx";
import { isPublicPair, type ServerChoices } from "./server-choices.ts";

interface PairChoiceProps {
  readonly settings: EffectiveSettings;
  readonly choices: ServerChoices;
}

/** Where kept pages go, and who will see them. Nothing is chosen until the person does. */
export function PairChoice({ settings, choices }: PairChoiceProps): VNode {
  const { pairId, pairName, pairIsPublic, managed } = settings;
  // Services leave their default place out of the list: an empty one and no place yet leaves only its number.
  const pairs = choices.pairs?.length === 0 && pairId === null ? undefined : choices.pairs;
  return (
    <>
      {pairs === undefined ? (
        <PairNumber settings={settings} />
      ) : (
        <Field id="pair" words="keeping.pair" isManaged={managed.has("pairId")}>
          <select
            value={String(pairId ?? "")}
            onChange={({ currentTarget: { value } }) => {
              const pair = pairs.find(({ cc_pair_id: id }) => String(id) === value);
              void changeSettings(
                pair === undefined
                  ? NO_PAIR
                  : { pairId: pair.cc_pair_id, pairName: pair.name ?? "", pairIsPublic: isPublicPair(pair) },
              );
            }}
          >
            <option value="">{i18n.t("options.keeping.noPair")}</option>
            {pairId === null || pairs.some(({ cc_pair_id: id }) => id === pairId) ? null : (
              <option value={String(pairId)}>{pairName || `#${pairId}`}</option>
            )}
            {pairs.map((pair) => (
              <option key={pair.cc_pair_id} value={String(pair.cc_pair_id)}>
                {nameOf(pair)}
              </option>
            ))}
          </select>
        </Field>
      )}
      {pairId === null ? null : (
        <Field id="audience" words="keeping.audience" isManaged={managed.has("pairIsPublic")}>
          <select
            value={String(pairIsPublic)}
            onChange={({ currentTarget: { value } }) =>
              // With its number: IT may have chosen it, and what is said here is said of no other.
              void changeSettings({ pairId, pairIsPublic: value === "null" ? null : value === "true" })
            }
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

/** What a pair is called, and who sees what is in it. */
function nameOf(pair: ListedPair): string {
  const isPublic = isPublicPair(pair);
  const audience = isPublic ? i18n.t("options.keeping.public") : i18n.t("options.keeping.restricted");
  return `${pair.name ?? `#${pair.cc_pair_id}`}${isPublic === null ? "" : ` — ${audience}`}`;
}

/** For keys that may keep pages and not list where. */
function PairNumber({ settings }: { readonly settings: EffectiveSettings }): VNode {
  const text = useSignal(String(settings.pairId ?? ""));
  return (
    <Field id="pair" words="keeping.pairNumber" isManaged={settings.managed.has("pairId")}>
      <input
        type="number"
        min={1}
        step={1}
        {...writes(text)}
        onChange={() => {
          const number = Number(text.value);
          void changeSettings({ ...NO_PAIR, pairId: Number.isSafeInteger(number) && number > 0 ? number : null });
        }}
      />
    </Field>
  );
}
