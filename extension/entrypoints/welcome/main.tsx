import { render } from "preact";
import { browser } from "wxt/browser";
import { i18n } from "#i18n";
import { createPageState } from "../../src/options/page-state.ts";
import { WelcomeApp } from "../../src/welcome/app.tsx";
import { languageOf } from "../../src/ui/wording.ts";

document.documentElement.lang = languageOf(i18n.t("extension.language"), browser.i18n.getUILanguage());
const place = document.getElementById("app");
if (place !== null) render(<WelcomeApp state={createPageState()} />, place);
