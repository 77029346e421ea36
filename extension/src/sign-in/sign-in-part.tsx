import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { isLoopback } from "@threadlore/client";
import type { PageState } from "../options/page-state.ts";
import { askToReach } from "../settings/permissions.ts";
import { Button } from "../ui/button.tsx";
import type { SignInOutcome, SignOutOutcome } from "./sign-in.ts";

interface SignInPartProps {
  readonly state: PageState;
  readonly onSignedIn?: () => void;
}

/** Signing in to the service that is set, where it offers that, and who is signed in; nothing to see otherwise. */
export function SignInPart({ state, onSignedIn }: SignInPartProps): VNode | null {
  const told = useSignal<SignInOutcome | SignOutOutcome | "notAllowed">("done");
  const isBusy = useSignal(false);
  const baseUrl = state.settings.value?.baseUrl ?? "";
  const { person } = state.choices.value;
  const isRefused = state.isRefused.value;
  const isOffered = state.offersSignIn.value && person === undefined;
  const says = told.value === "done" ? "" : i18n.t(`options.signIn.${told.value}`, [hostOf(baseUrl)]);
  if (person === undefined && !isOffered && says === "") return null;
  const press = async (what: "signIn" | "signOut") => {
    isBusy.value = true;
    told.value = "done";
    // Nothing is awaited before this: the browser asks for access only in the click itself.
    const isAllowed = what === "signOut" || isHere(baseUrl) || (await askToReach(baseUrl).catch(() => false));
    told.value = isAllowed ? await import("./sign-in.ts").then((flow) => flow[what]()) : "notAllowed";
    isBusy.value = false;
    if (what === "signIn" && told.value === "done") onSignedIn?.();
  };
  return (
    <div class="sign-in">
      {person === undefined ? null : <p>{i18n.t("options.signIn.as", [person])}</p>}
      {isOffered ? (
        <p role={isRefused ? "alert" : undefined}>
          {i18n.t(isRefused ? "options.signIn.again" : "options.signIn.offer", [hostOf(baseUrl)])}
        </p>
      ) : null}
      <div class="actions">
        {person === undefined ? null : (
          <Button says="options.signIn.signOut" disabled={isBusy.value} onClick={() => void press("signOut")} />
        )}
        {isOffered ? (
          <Button
            says="options.signIn.signIn"
            class="primary"
            disabled={isBusy.value}
            onClick={() => void press("signIn")}
          />
        ) : null}
      </div>
      <p role="status">{says}</p>
    </div>
  );
}

const hostOf = (baseUrl: string) => URL.parse(baseUrl)?.host ?? "";
const isHere = (baseUrl: string) => isLoopback(URL.parse(baseUrl)?.hostname ?? "");
