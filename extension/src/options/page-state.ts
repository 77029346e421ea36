import { computed, signal } from "@preact/signals";
import { type EffectiveSettings, readKeys, readSettings, watchSettings } from "../settings/settings.ts";
import { offersSignIn as askOffer } from "../sign-in/offer.ts";
import { type Heard, NO_CHOICES, readChoices } from "./server-choices.ts";

/** What a settings page shows; everything follows the storage. */
export type PageState = ReturnType<typeof createPageState>;

/** Reads settings, and what the service offers, and follows them. */
export function createPageState() {
  /** Undefined until it was read. */
  const settings = signal<EffectiveSettings | undefined>(undefined);
  const hasKey = signal(false);
  const hasIngestKey = signal(false);
  const choices = signal(NO_CHOICES);
  /** What the service said when it was asked last; undefined: it has not said anything yet. */
  const heard = signal<{ readonly what: Heard; readonly at: number } | undefined>(undefined);
  const isRefused = computed(() => heard.value?.what === "refusal");
  /** The service gives a key to whoever signs in there. */
  const offersSignIn = signal(false);
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
    heard.value = undefined;
    offersSignIn.value = false;
    await Promise.all([lookForOffer(now.baseUrl), look()]);
  };
  const lookForOffer = async (baseUrl: string) => {
    const service = asked;
    const isOffered = await askOffer(baseUrl);
    if (service === asked) offersSignIn.value = isOffered;
  };
  /** Asks the service again what it offers. */
  const look = async () => {
    const service = asked;
    let what: Heard = "answer";
    const found = await readChoices((instead) => (what = instead));
    if (service !== asked) return;
    choices.value = found;
    heard.value = { what, at: Date.now() };
  };
  watchSettings(() => void read());
  void read();
  return { settings, hasKey, hasIngestKey, choices, heard, isRefused, offersSignIn, look };
}
