import { OutboxFullError } from "../../outbox/outbox.ts";
import { armAlarm, wakeBackground } from "../../outbox/wake.ts";
import { visibleText } from "@threadlore/ask";
import type { Revised } from "../../outbox/revise.ts";
import { shortened } from "../../ui/wording.ts";
import { refusalText } from "./keep-text.ts";
import { i18n } from "#i18n";

/** Characters that are shown of what another window wrote. */
const SEEN = 120;

/** Does something with a kept page, and sees that it is sent. Gives what went wrong, in words; "": nothing. */
export async function acted(work: () => Promise<Revised | boolean | void>): Promise<string> {
  try {
    await armAlarm();
    const became = await work();
    await wakeBackground();
    if (typeof became === "object") return i18n.t("panel.added.clash", [shortened(visibleText(became.text), SEEN)]);
    return typeof became !== "string" || became === "done" ? "" : i18n.t(`panel.kept.${became}`);
  } catch (error) {
    return refusalText(error instanceof OutboxFullError ? "outbox-full" : "storage");
  }
}
