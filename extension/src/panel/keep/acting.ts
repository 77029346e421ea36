import { OutboxFullError } from "../../outbox/outbox.ts";
import { armAlarm, wakeBackground } from "../../outbox/wake.ts";
import { refusalText } from "./keep-text.ts";
import { i18n } from "#i18n";

/** Does something with a kept page, and sees that it is sent. Gives what went wrong, in words; "": nothing. */
export async function acted(work: () => Promise<unknown>): Promise<string> {
  try {
    await armAlarm();
    const became = await work();
    await wakeBackground();
    return became === "no-text" ? i18n.t("panel.kept.noText") : "";
  } catch (error) {
    return refusalText(error instanceof OutboxFullError ? "outbox-full" : "storage");
  }
}
