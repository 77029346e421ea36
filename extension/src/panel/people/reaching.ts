import { createAsks, type Asks } from "@threadlore/client/asks";
import { createGaps, type Gaps } from "@threadlore/client/gaps";
import type { ServiceAccess } from "../connection/service-access.ts";

/** Does something about what people are asked. Throws the client's errors. */
export const withAsks = <Done>(service: ServiceAccess, work: (asks: Asks) => Promise<Done>): Promise<Done> =>
  service.reach((options) => work(createAsks(options)));

/** Does something about what nobody could answer. Throws the client's errors. */
export const withGaps = <Done>(service: ServiceAccess, work: (gaps: Gaps) => Promise<Done>): Promise<Done> =>
  service.reach((options) => work(createGaps(options)));

/** The machine-readable code of a refusal, where it has one. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}
