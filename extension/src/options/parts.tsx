import type { Signal } from "@preact/signals";
import { cloneElement, type ComponentChildren, type VNode } from "preact";
import { type GeneratedI18nStructure, i18n } from "#i18n";
import { Icon } from "../ui/icons.tsx";
import type { ConnectOutcome, ShownFinding } from "./connect.ts";
import { SUBJECTS } from "./subjects.ts";

interface SectionProps {
  /** Part of the keys of its words. */
  readonly id: "answers" | "keeping" | "ledger" | "pairing" | "service" | "sites";
  readonly children: ComponentChildren;
}

/** A part of the page with a heading of its own. */
export function Section({ id, children }: SectionProps): VNode {
  return (
    <section class="section" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{i18n.t(`options.${id}.title`)}</h2>
      {id === "sites" ? null : <p class="muted">{i18n.t(`options.${id}.what`)}</p>}
      {children}
    </section>
  );
}

/** Part of the key of a label, whose hint has the same key and `Hint` behind it. */
type FieldWords = {
  [Key in keyof GeneratedI18nStructure]: Key extends `options.${infer Words}Hint` ? Words : never;
}[keyof GeneratedI18nStructure];

interface FieldProps {
  readonly id: string;
  readonly words?: FieldWords;
  /** In place of what `words` name. */
  readonly label?: string;
  readonly hint?: string;
  /** IT has set it, and it cannot be changed here. */
  readonly isManaged?: boolean;
  readonly children: VNode;
}

/** A control with its label and its hint, both of which it is given. */
export function Field({ id, words, isManaged = false, children, ...own }: FieldProps): VNode {
  const { label = words && i18n.t(`options.${words}`), hint = words && i18n.t(`options.${words}Hint`) } = own;
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, "aria-describedby": hintId, ...(isManaged && { disabled: true }) })}
      {hint === undefined ? null : (
        <p id={hintId} class="hint">
          {hint}
        </p>
      )}
      {isManaged ? (
        <p class="managed">
          <Icon name="lock" />
          {i18n.t("options.managed")}
        </p>
      ) : null}
    </div>
  );
}

/** What makes `text` follow what is written in a control. */
export function writes(text: Signal<string>) {
  return {
    value: text.value,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      void (text.value = currentTarget.value),
  };
}

/** What was looked at, and what to do about it, as the diagnosis words it. */
export function Findings({ findings }: { readonly findings: readonly ShownFinding[] }): VNode {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <FindingView key={`${finding.what} ${finding.evidence}`} finding={finding} />
      ))}
    </ul>
  );
}

function FindingView({ finding }: { readonly finding: ShownFinding }): VNode {
  const { what, ok, evidence, fix, foundAt, isManaged } = finding;
  const verdict = ok === true ? "good" : ok === false ? "bad" : "unknown";
  const remedy = isManaged === true ? i18n.t("options.finding.managed") : fix;
  return (
    <li class={verdict}>
      <Icon name={ok === true ? "check" : "warning"} />
      <span>
        <strong>{subjectOf(what)}</strong>
        <span class="verdict">{i18n.t(`options.finding.${verdict}`)}</span>
        <span class="evidence">{foundAt === undefined ? evidence : i18n.t("options.finding.foundAt", [foundAt])}</span>
        {remedy === "" ? null : <span class="fix">{remedy}</span>}
      </span>
    </li>
  );
}

/** What was looked at, in the person's language; what is new to us stays as the diagnosis calls it. */
function subjectOf(what: string): string {
  return Object.hasOwn(SUBJECTS, what) ? i18n.t(SUBJECTS[what as keyof typeof SUBJECTS]) : what;
}

/** What became of saving and trying. */
export function Outcome({ outcome }: { readonly outcome: ConnectOutcome }): VNode {
  switch (outcome.kind) {
    case "tried":
      return <Findings findings={outcome.findings} />;
    case "bad-address":
      return <Complaint text={outcome.message} />;
    case "not-allowed":
      return <Complaint text={i18n.t("options.service.notAllowed", [outcome.host])} />;
    case "no-key":
      return <Complaint text={i18n.t("options.service.noKey")} />;
  }
}

/** One line about what is wrong. */
export function Complaint({ text }: { readonly text: string }): VNode {
  return (
    <p class="complaint">
      <Icon name="warning" />
      {text}
    </p>
  );
}
