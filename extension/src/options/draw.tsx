import type { VNode } from "preact";
import { render } from "preact";
import { browser } from "wxt/browser";
import { i18n } from "#i18n";
import { WelcomeApp } from "../welcome/app.tsx";
import { languageOf } from "../ui/wording.ts";
import { OptionsApp } from "./app.tsx";
import { createPageState, type PageState } from "./page-state.ts";

type Page = (props: { readonly state: PageState }) => VNode | null;

/**
 * The pages that set the extension up. In one file, which both load: most of them is the same, and it is smaller as one than
 * as three.
 */
export const pages = { OptionsApp, WelcomeApp };

/** Draws one of them where its document has the place for it. */
export function draw(Page: Page): void {
  document.documentElement.lang = languageOf(i18n.t("extension.language"), browser.i18n.getUILanguage());
  const place = document.getElementById("app");
  if (place !== null) render(<Page state={createPageState()} />, place);
}
