import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { forgetKeys } from "../settings/settings.ts";
import { type ShownFinding, tryService } from "./connect.ts";
import { KeyNotes } from "./key-notes.tsx";
import type { PageState } from "./page-state.ts";
import { PairChoice } from "./pair-choice.tsx";
import { PairingForm } from "./pairing-form.tsx";
import { Findings, Section } from "./parts.tsx";
import { AnswersSection, LedgerSection, SitesSection } from "./sections.tsx";
import { SignInPart } from "../sign-in/sign-in-part.tsx";
import { ServiceFormView } from "./service-form.tsx";

/** The settings page. */
export function OptionsApp({ state }: { readonly state: PageState }): VNode | null {
  const settings = state.settings.value;
  if (settings === undefined) return null;
  return (
    <div class="page">
      <header class="head">
        <h1>
          <Icon name="thread" />
          {i18n.t("options.title")}
        </h1>
      </header>
      <main>
        <Section id="service">
          <SignInPart state={state} />
          <ServiceFormView settings={settings} hasKey={state.hasKey.value} hasIngestKey={state.hasIngestKey.value} />
          <TestAgain hasKey={state.hasKey.value} />
          <KeyNotes account={state.choices.value.account} onChanged={state.look} />
        </Section>
        {settings.managed.has("baseUrl") ? null : (
          <Section id="pairing">
            <PairingForm />
          </Section>
        )}
        <AnswersSection settings={settings} choices={state.choices.value} />
        <Section id="keeping">
          <PairChoice settings={settings} choices={state.choices.value} />
        </Section>
        <SitesSection settings={settings} />
        <LedgerSection />
      </main>
      <footer class="muted">{i18n.t("options.privacy")}</footer>
    </div>
  );
}

/** Tries what is set, without changing it. */
function TestAgain({ hasKey }: { readonly hasKey: boolean }): VNode | null {
  const findings = useSignal<readonly ShownFinding[] | undefined>(undefined);
  const isTrying = useSignal(false);
  if (!hasKey) return null;
  const test = async () => {
    isTrying.value = true;
    findings.value = await tryService().finally(() => (isTrying.value = false));
  };
  return (
    <div class="test">
      <div class="actions">
        <Button
          says={isTrying.value ? "options.service.trying" : "options.service.test"}
          disabled={isTrying.value}
          onClick={() => void test()}
        />
        <Button says="options.service.forget" onClick={() => void forgetKeys()} />
      </div>
      <div role="status">{findings.value === undefined ? null : <Findings findings={findings.value} />}</div>
    </div>
  );
}
