/** Apart from the settings, which the panel starts with: it needs no part of the client to be drawn. */
import { normalizeBaseUrl } from "@threadlore/client";

/**
 * A service's address as extension pages can reach it, without a slash at the end: `[::1]` becomes `localhost`, since no
 * policy of a page can name it. Throws what `normalizeBaseUrl` throws.
 */
export function reachableUrl(written: string): string {
  return normalizeBaseUrl(written).replace(/^(https?:\/\/)\[::1\]/, "$1localhost");
}
