import { signal } from "@preact/signals";
import { type EffectiveSettings, readKeys, readSettings, watchSettings } from "../settings/settings.ts";
import { NO_CHOICES, readChoices } from "./server-choices.ts";

/** What a settings page shows; everything follows the storage. */
export type PageState = ReturnType<typeof createPageState>;

/** Reads settings, and what the service offers, and follows them. */
export function createPageState() {
  /** Undefined until it was read. */
  const settings = signal<EffectiveSettings | undefined>(undefined);
  const hasKey = signal(false);
  const hasIngestKey = signal(false);
  const choices = signal(NO_CHOICES);
  let asked = "";
  let reads = 0;
  const read = async () => {
    const turn = (reads += 1);
    const [now, keys] = await Promise.all([readSettings(), readKeys()]);
    if (turn !== reads) return;
    hasKey.value = keys !== undefined;
    hasIngestKey.value = (keys?.ingestKey ?? "") !== "";
    settings.value = now;
    const service = JSON.stringify([now.baseUrl, keys]);
    if (service === asked) return;
    asked = service;
    await look();
  };
  /** Asks the service again what it offers. */
  const look = async () => {
    const service = asked;
    const found = await readChoices();
    if (service === asked) choices.value = found;
  };
  watchSettings(() => void read());
  void read();
  return { settings, hasKey, hasIngestKey, choices, look };
}
