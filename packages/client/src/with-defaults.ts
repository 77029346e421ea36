/** Settings where what is absent, or given as undefined, has its default. */
export function withDefaults<Settings extends object>(defaults: Settings, given: Partial<Settings> = {}): Settings {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}
