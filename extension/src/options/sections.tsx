import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { visibleText } from "@threadlore/ask";
import { browser } from "wxt/browser";
import { i18n } from "#i18n";
import { Button } from "../ui/button.tsx";
import { Form } from "../ui/form.tsx";
import { watchDatabase } from "../storage/database.ts";
import { exportLedger, forgetLedger, type LedgerRecord, readLedger } from "../outbox/ledger.ts";
import { forgetConversation } from "../panel/history/history-store.ts";
import { readOutbox } from "../outbox/outbox.ts";
import { type OutboxEntry, shownTitle } from "../outbox/outbox-entry.ts";
import { momentOf } from "../ui/wording.ts";
import {
  ALL_SITES,
  type AllowedSites,
  askForAllSites,
  askForSite,
  readAllowed,
  watchAllowed,
} from "../settings/permissions.ts";
import { changeSettings, type EffectiveSettings } from "../settings/settings.ts";
import { Field, Section, writes } from "./parts.tsx";
import type { ServerChoices } from "./server-choices.ts";

interface SettingsProps {
  readonly settings: EffectiveSettings;
}

/** Who answers, and from what. */
export function AnswersSection({ settings, choices }: SettingsProps & { readonly choices: ServerChoices }): VNode {
  const { personas, documentSets } = choices;
  const isFixed = settings.managed.has("documentSets");
  const toggle = (name: string, isOn: boolean) => {
    const others = settings.documentSets.filter((one) => one !== name);
    void changeSettings({ documentSets: isOn ? [...others, name] : others });
  };
  return (
    <Section id="answers">
      <Field
        id="persona"
        label={i18n.t("options.answers.persona")}
        hint={personas === undefined ? i18n.t("options.answers.notTold") : undefined}
        isManaged={settings.managed.has("personaId")}
      >
        <select
          disabled={personas === undefined}
          value={String(settings.personaId ?? "")}
          onChange={({ currentTarget: { value } }) =>
            void changeSettings({ personaId: value === "" ? null : Number(value) })
          }
        >
          <option value="">{i18n.t("options.answers.anyPersona")}</option>
          {personas?.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {visibleText(name) || `#${id}`}
            </option>
          ))}
        </select>
      </Field>
      {documentSets === undefined || documentSets.length === 0 ? null : (
        <fieldset disabled={isFixed}>
          <legend>{i18n.t("options.answers.sets")}</legend>
          <p class="hint">{i18n.t("options.answers.setsHint")}</p>
          {documentSets.map(({ id, name }) => (
            <label key={id} class="choice">
              <input
                type="checkbox"
                checked={settings.documentSets.includes(name)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
              {visibleText(name)}
            </label>
          ))}
        </fieldset>
      )}
    </Section>
  );
}

/** Sites that are left alone, and sites that are always allowed. */
export function SitesSection({ settings }: SettingsProps): VNode {
  const text = useSignal(settings.denyList.join("\n"));
  const allowed = useSignal<AllowedSites>({ all: false, sites: [] });
  const load = () => void readAllowed().then((found) => (allowed.value = found));
  useEffect(() => {
    load();
    watchAllowed(load);
  }, []);
  const isManaged = settings.managed.has("denyList");
  const { all, sites } = allowed.value;
  const rows = [
    ...(all ? [{ name: i18n.t("options.sites.allSites"), origins: ALL_SITES }] : []),
    ...sites.map((site) => ({ name: site, origins: [site] })),
  ];
  return (
    <Section id="sites">
      <Field id="deny-list" words="sites.deny" isManaged={isManaged}>
        <textarea
          rows={4}
          spellcheck={false}
          {...writes(text)}
          {...(isManaged && { value: settings.denyList.join("\n") })}
          onChange={() => {
            const denyList = text.value.split(/[\s,;]+/).filter((host) => host !== "");
            void changeSettings({ denyList });
          }}
        />
      </Field>
      <h3>{i18n.t("options.sites.allowed")}</h3>
      {rows.length === 0 ? (
        <p class="muted">{i18n.t("options.sites.noneAllowed")}</p>
      ) : (
        <ul class="rows">
          {rows.map(({ name, origins }) => (
            <li key={name}>
              <span class="mono">{name}</span>
              <Button
                says="options.sites.takeBack"
                aria-label={i18n.t("options.sites.takeBackFrom", [name])}
                onClick={() => void browser.permissions.remove({ origins: [...origins] }).then(load)}
              />
            </li>
          ))}
        </ul>
      )}
      <AllowSite all={all} />
    </Section>
  );
}

/** Allows one more site for good, or all there are. */
function AllowSite({ all }: { readonly all: boolean }): VNode {
  const site = useSignal("");
  const told = useSignal("");
  const allow = async () => {
    // Nothing is awaited before this: the browser asks for access only in the click itself.
    const asked = askForSite(site.value);
    told.value = asked === undefined ? i18n.t("options.sites.noSite") : "";
    if (asked === undefined) return;
    if (await asked.catch(() => false)) site.value = "";
    else told.value = i18n.t("options.sites.notAllowed");
  };
  return (
    <Form onSend={() => void allow()}>
      <Field id="allow-site" words="sites.allow">
        <input type="text" spellcheck={false} {...writes(site)} />
      </Field>
      <div class="actions">
        <Button says="options.sites.allowIt" type="submit" disabled={site.value.trim() === ""} />
        {all ? null : <Button says="options.sites.allowAll" onClick={() => void askForAllSites()} />}
      </div>
      <p class="muted" role="status">
        {told.value}
      </p>
    </Form>
  );
}

const MAX_SHOWN = 100;

/** What this browser has sent, and what it remembers. */
export function LedgerSection(): VNode {
  const records = useSignal<readonly LedgerRecord[]>([]);
  /** Pages the service has answered for that are not found there; those of private windows stand on no list. */
  const sought = useSignal<readonly OutboxEntry[]>([]);
  const forgotten = useSignal("");
  const load = () => {
    void readLedger().then((found) => (records.value = found));
    const isSought = ({ unconfirmed, isPrivate, removal }: OutboxEntry) =>
      unconfirmed !== undefined && isPrivate !== true && removal === undefined;
    void readOutbox().then((waiting) => (sought.value = waiting.filter(isSought)));
  };
  useEffect(() => {
    load();
    return watchDatabase(load);
  }, []);
  const unconfirmed = sought.value.map((entry) => ({
    ...entry,
    key: `sought ${entry.key}`,
    when: i18n.t("options.ledger.unconfirmed"),
    times: entry.unconfirmed?.times ?? 0,
  }));
  const kept = records.value.map((record) => ({ ...record, when: momentOf(record.sentAt) }));
  const shown = [...unconfirmed, ...kept].slice(0, MAX_SHOWN);
  return (
    <Section id="ledger">
      {shown.length === 0 ? (
        <p class="muted">{i18n.t("options.ledger.empty")}</p>
      ) : (
        <div class="scroller" tabIndex={0} role="group" aria-label={i18n.t("options.ledger.title")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{i18n.t("options.ledger.page")}</th>
                <th scope="col">{i18n.t("options.ledger.sent")}</th>
                <th scope="col">{i18n.t("options.ledger.times")}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ when, ...page }) => (
                <tr key={page.key}>
                  <td dir="auto">
                    {visibleText(shownTitle(page))}
                    <span class="address">{visibleText(page.link)}</span>
                  </td>
                  <td>{when}</td>
                  <td class="number">{page.times}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="actions">
        <Button says="options.ledger.export" disabled={kept.length === 0} onClick={() => void saveLedger()} />
        <Button
          says="options.ledger.forget"
          disabled={kept.length === 0}
          onClick={() => void forgetLedger().then(load)}
        />
        <Button
          says="options.ledger.forgetConversations"
          onClick={() =>
            void forgetConversation().then(() => (forgotten.value = i18n.t("options.ledger.conversationsForgotten")))
          }
        />
      </div>
      <p class="muted" role="status">
        {forgotten.value}
      </p>
    </Section>
  );
}

async function saveLedger(): Promise<void> {
  const url = URL.createObjectURL(new Blob([await exportLedger()], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "threadlore-kept-pages.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
