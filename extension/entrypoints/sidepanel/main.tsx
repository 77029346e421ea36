import { render } from "preact";
import { browser } from "wxt/browser";
import { i18n } from "#i18n";
import { App } from "../../src/panel/app.tsx";
import { createPanel } from "../../src/panel/panel.ts";
import { languageOf } from "../../src/ui/wording.ts";

document.documentElement.lang = languageOf(i18n.t("extension.language"), browser.i18n.getUILanguage());
const panel = createPanel();
addEventListener("pagehide", panel.stop);
const place = document.getElementById("app");
if (place !== null) render(<App panel={panel} />, place);
