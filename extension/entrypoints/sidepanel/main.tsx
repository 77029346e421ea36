import { render } from "preact";
import { browser } from "wxt/browser";
import { i18n } from "#i18n";
import { App } from "../../src/panel/app.tsx";
import { Panel } from "../../src/panel/panel.ts";
import { languageOf } from "../../src/ui/wording.ts";

document.documentElement.lang = languageOf(i18n.t("extension.language"), browser.i18n.getUILanguage());
const panel = new Panel();
addEventListener("pagehide", () => panel.leave());
const place = document.getElementById("app");
if (place !== null) render(<App panel={panel} />, place);
