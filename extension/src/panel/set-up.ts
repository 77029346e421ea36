/** Whether there is a service to ask, which, and about what: as the person and IT have set it, followed. */
import { signal } from "@preact/signals";
import {
  type EffectiveSettings,
  readConnection,
  readDrawn,
  readSettings,
  type Settings,
  watchSettings,
} from "../settings/settings.ts";
import type { Scope } from "./ask/turn.ts";
import type { ServiceAccess, serviceAccess } from "./connection/service-access.ts";

/** Whether there is a service to ask. `loading`: it is not known yet. */
export type Setup = "loading" | "missing" | "ready" | "broken";

/**
 * Follows the settings.
 * @param wire what makes the service's access: it is not needed to draw the panel
 * @param onFirst called with the origin of the first service that is known, before anything may be asked
 * @param onOther called when it is another service than before
 */
export function followSetup(
  wire: Promise<{ readonly serviceAccess: typeof serviceAccess }>,
  onFirst: (origin: string) => Promise<void>,
  onOther: () => void,
) {
  /** What may be asked; undefined while no service is set, and until it is known what IT has set. */
  const access = signal<ServiceAccess | undefined>(undefined);
  const setup = signal<Setup>("loading");
  const scope = signal<Scope>({ page: true, company: true });
  /** Origin of the service as the person has set it, to draw with until it is known what IT has set. */
  const drawn = signal("");
  const policy = Promise.withResolvers<EffectiveSettings>();
  let isPolicyKnown = false;
  const draw = async () => {
    const { settings, origin } = await readDrawn();
    if (isPolicyKnown || origin === "") return;
    drawn.value = origin;
    scope.value = scopeOf(settings);
    setup.value = "ready";
  };
  let reads = 0;
  const readSetup = async () => {
    const turn = (reads += 1);
    const [settings, connection] = await Promise.all([readSettings(), readConnection()]);
    if (turn === reads && connection === undefined) setup.value = "missing";
    const later = await wire;
    // Settings have changed meanwhile, and a later look knows them.
    if (turn !== reads) return;
    scope.value = scopeOf(settings);
    const before = access.peek()?.origin;
    try {
      access.value = connection === undefined ? undefined : later.serviceAccess(connection, settings);
      if (connection !== undefined && before === undefined) await onFirst(connection.origin);
      if (turn !== reads) return;
      if (connection !== undefined) setup.value = "ready";
    } catch {
      // An address or a key that can be none, such as from a policy with a typing error.
      access.value = undefined;
      setup.value = "broken";
    }
    isPolicyKnown = true;
    policy.resolve(settings);
    // Sessions belong to one service: a question of the old one must not go on at the new one.
    if (before !== undefined && access.peek()?.origin !== before) onOther();
  };
  watchSettings(() => void readSetup());
  void draw();
  void readSetup();

  return {
    setup,
    access,
    drawn,
    scope,
    /** Resolves when it is known what IT has set: with the scope as that leaves it. */
    async settle(asked: Scope): Promise<Scope> {
      if (isPolicyKnown) return asked;
      const settings = await policy.promise;
      const isPreset = settings.managed.has("askPage") || settings.managed.has("askCompany");
      return isPreset ? { ...asked, ...scopeOf(settings) } : asked;
    },
  };
}

/** What a question is about, as it is set. */
function scopeOf({ askPage, askCompany }: Settings): Scope {
  return { page: askPage || !askCompany, company: askCompany };
}
