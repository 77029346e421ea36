import { createNearAnswers, type NearAnswers } from "@threadlore/client/kept";
import type { NearKept } from "@threadlore/client/models";
import type { ServiceAccess } from "../connection/service-access.ts";

/** Does something about kept answers, with the key that keeps pages. Throws the client's errors. */
const withKept = <Done>(service: ServiceAccess, work: (kept: NearAnswers) => Promise<Done>): Promise<Done> =>
  service.reach((options) => work(createNearAnswers(options)), "ingestKey");

/**
 * Kept answers that a page may change, likeliest first, by the id the service gave it. None where the service knows of none,
 * where the key may not, and where it cannot be said. Never throws: nobody asked for it.
 */
export const nearTo = (service: ServiceAccess, id: string): Promise<readonly NearKept[]> =>
  withKept(service, (kept) => kept.near(id)).then(
    ({ kept_answers: near }) => near,
    () => [],
  );

/** Says that a page changes a kept answer: its owner is asked. Answers whether the service took it; never throws. */
export const changedBy = (service: ServiceAccess, { document_id: answer }: NearKept, id: string): Promise<boolean> =>
  withKept(service, (kept) => kept.doubt(answer, id)).then(
    () => true,
    () => false,
  );
