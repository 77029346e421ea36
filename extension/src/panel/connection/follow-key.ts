/** What the service says of the key, looked at again while the panel is seen: a key can be taken away at any time. */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { ServiceAccess } from "./service-access.ts";
import type { Standing } from "./standing.ts";

/** How often it is looked at, milliseconds. */
const LOOK_MS = 30_000;

/** Follows the key of the service that is set: undefined until the service has said anything. */
export function followKey(access: ReadonlySignal<ServiceAccess | undefined>): ReadonlySignal<Standing | undefined> {
  const standing = signal<Standing | undefined>(undefined);
  const look = async (maxAgeMs: number) => {
    const service = access.peek();
    if (service === undefined || document.visibilityState === "hidden") return;
    const found = await service.key.look(maxAgeMs);
    if (access.peek() === service) standing.value = found;
  };
  const seen = () => void look(LOOK_MS);
  effect(() => {
    void access.value;
    standing.value = undefined;
    seen();
  });
  setInterval(() => void look(LOOK_MS / 2), LOOK_MS);
  document.addEventListener("visibilitychange", seen);
  return standing;
}
