const A_MINUTE_MS = 60_000;
const PER_MINUTE = { 1: 1, 2: 20, 3: 50, 4: 100 } as const;

/** How often a method may be called: so many times a minute, or `post`: once a second and channel. */
export type Tier = keyof typeof PER_MINUTE | "post";

/** How often methods were called of late. Times are milliseconds of one clock that does not stand still. */
export class RateLimits {
  readonly #times = new Map<string, number[]>();

  /**
   * Counts a call. Returns undefined when it is within its limit, else the whole seconds after which it would be; a
   * refused call counts for nothing. `channel` matters only for methods that post.
   */
  count(name: string, tier: Tier, channel: string, now: number): number | undefined {
    const [windowMs, most] = tier === "post" ? [1_000, 1] : [A_MINUTE_MS, PER_MINUTE[tier]];
    const key = tier === "post" ? `${name} ${channel}` : name;
    const recent = (this.#times.get(key) ?? []).filter((time) => time > now - windowMs);
    const oldest = recent.at(-most);
    if (oldest !== undefined) return Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000));
    this.#times.set(key, [...recent, now]);
    return undefined;
  }
}
