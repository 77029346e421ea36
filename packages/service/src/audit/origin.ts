const ORIGINS = new WeakMap<Request, string>();

/** Says by which front end a request came, as it says itself. */
export function noteOrigin(request: Request, origin: string): void {
  ORIGINS.set(request, origin);
}

/** What was said of it; empty where nothing was. */
export function originOf(request: Request): string {
  return ORIGINS.get(request) ?? "";
}
