import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import { Button } from "../ui/button.tsx";
import type { ConnectOutcome } from "../options/connect.ts";
import type { PageState } from "../options/page-state.ts";
import { KeyNotes } from "../options/key-notes.tsx";
import { PairChoice } from "../options/pair-choice.tsx";
import { PairingForm } from "../options/pairing-form.tsx";
import { ServiceFormView } from "../options/service-form.tsx";
import { SignInPart } from "../sign-in/sign-in-part.tsx";
import { findLocalService } from "../pairing/pairing.ts";
import { Icon } from "../ui/icons.tsx";
import { openSettings } from "../ui/open-pages.ts";
import { clockOf } from "../ui/wording.ts";

/** What came of looking for a service on this machine, as in the keys of its words. */
type Found = "looking" | "found" | "notFound";
/** By the code a service on this machine shows, or by address and key. */
type Way = "code" | "key";

/** The first run: finds the service on this machine and pairs with it, or asks for an address and a key. */
export function WelcomeApp({ state }: { readonly state: PageState }): VNode | null {
  const found = useSignal<Found>("looking");
  /** How to connect, where the person has chosen. */
  const chosen = useSignal<Way | undefined>(undefined);
  /** What trying came to; undefined while nothing was tried here. */
  const isConnected = useSignal<boolean | undefined>(undefined);
  const look = async () => {
    chosen.value = undefined;
    found.value = "looking";
    found.value = (await findLocalService()) ? "found" : "notFound";
  };
  useEffect(() => {
    void look();
    // Whoever comes back to this page may have started the service meanwhile.
    const again = () => document.hidden || void state.look();
    document.addEventListener("visibilitychange", again);
  }, []);
  const settings = state.settings.value;
  if (settings === undefined) return null;
  const isManaged = settings.managed.has("baseUrl");
  const usual = found.value === "found" ? "code" : found.value === "notFound" ? "key" : undefined;
  const way = isManaged ? "key" : (chosen.value ?? usual);
  const heard = state.heard.value;
  const isRefused = state.isRefused.value;
  const hasKey = !isRefused && (isConnected.value ?? state.hasKey.value);
  const isThere = hasKey && heard?.what === "answer";
  return (
    <div class="page">
      <header class="head welcome">
        <span class="mark">
          <Icon name="thread" />
        </span>
        <h1>{i18n.t("welcome.title")}</h1>
        <p>{i18n.t("welcome.what")}</p>
      </header>
      <main>
        <ol class="stages">
          <Stage number={1} title={i18n.t("welcome.connect.title")} isDone={isThere} isCurrent={!isThere}>
            <SignInPart state={state} onSignedIn={() => (isConnected.value = true)} />
            {hasKey ? (
              <Connected host={new URL(settings.baseUrl).host} state={state} />
            ) : (
              <>
                {isRefused && !state.offersSignIn.value ? <p role="alert">{i18n.t("panel.key.gone")}</p> : null}
                {isManaged ? null : <p role="status">{i18n.t(`welcome.connect.${found.value}`)}</p>}
                {way === "code" ? (
                  <>
                    <PairingForm isElsewhere={found.value !== "found"} onPaired={() => (isConnected.value = true)} />
                    <Button says="welcome.connect.other" onClick={() => (chosen.value = "key")} />
                  </>
                ) : way === "key" ? (
                  <>
                    <ServiceFormView
                      settings={settings}
                      hasKey={false}
                      hasIngestKey={false}
                      onTry={() => (isConnected.value = false)}
                      onTried={(outcome) => (isConnected.value = worked(outcome))}
                    />
                    {isManaged ? null : (
                      <div class="actions">
                        <Button says="welcome.connect.byCode" onClick={() => (chosen.value = "code")} />
                        <Button says="welcome.connect.again" onClick={() => void look()} />
                      </div>
                    )}
                  </>
                ) : null}
              </>
            )}
          </Stage>
          <Stage number={2} title={i18n.t("welcome.keep.title")} isDone={settings.pairId !== null}>
            <p>{i18n.t("welcome.keep.what")}</p>
            {hasKey ? <PairChoice settings={settings} choices={state.choices.value} /> : null}
          </Stage>
          <Stage number={3} title={i18n.t("welcome.ask.title")}>
            <p>{i18n.t("welcome.ask.what")}</p>
          </Stage>
        </ol>
      </main>
      <footer class="muted">{i18n.t("options.privacy")}</footer>
    </div>
  );
}

interface ConnectedProps {
  readonly host: string;
  readonly state: PageState;
}

/** How it stands with the service that is set: never that it is connected when nobody has heard from it. */
function Connected({ host, state: { heard, choices, look } }: ConnectedProps): VNode {
  const said = heard.value;
  const again = () => {
    heard.value = undefined;
    void look();
  };
  if (said?.what !== "silence") {
    return (
      <>
        <p role="status">{i18n.t(said === undefined ? "welcome.connect.checking" : "welcome.connect.done", [host])}</p>
        <KeyNotes account={choices.value.account} onChanged={look} />
      </>
    );
  }
  return (
    <>
      <p role="status">{i18n.t("welcome.connect.silent", [host, clockOf(said.at)])}</p>
      <div class="actions">
        <Button says="welcome.connect.look" class="primary" onClick={again} />
        <Button says="panel.failure.settings" onClick={openSettings} />
      </div>
    </>
  );
}

/** The service knows the key; keeping pages may still need a pair or another one. What is not known stays in sight. */
function worked(outcome: ConnectOutcome): boolean {
  if (outcome.kind !== "tried") return false;
  const isKnown = outcome.findings.some(({ what, ok }) => what === "key" && ok === true);
  return isKnown && outcome.findings.every(({ what, ok }) => ok !== false || /ingest|pair/i.test(what));
}

interface StageProps {
  readonly number: number;
  readonly title: string;
  readonly isDone?: boolean;
  /** It is what is to be done next. */
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

function Stage({ number, title, isDone = false, isCurrent = false, children }: StageProps): VNode {
  return (
    <li class={isDone ? "stage done" : "stage"} aria-current={isCurrent ? "step" : undefined}>
      <h2>
        <span class="stage-mark">{isDone ? <Icon name="check" /> : number}</span>
        {title}
      </h2>
      <div class="stage-body">{children}</div>
    </li>
  );
}
