import { render, type VNode } from "preact";
import { browser } from "wxt/browser";
import { i18n } from "#i18n";
import { languageOf } from "./wording.ts";

/** Shows a page of the extension, in the language of its texts. */
export function mount(page: VNode): void {
  document.documentElement.lang = languageOf(i18n.t("extension.language"), browser.i18n.getUILanguage());
  const place = document.getElementById("app");
  if (place !== null) render(page, place);
}
