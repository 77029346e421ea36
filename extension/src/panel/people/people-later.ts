import type { ServiceAccess } from "../connection/service-access.ts";
import { people } from "../keep/later.tsx";

/** What was asked of people, and what became of it. */
export const askedList = () => people().then(({ AskedList }) => AskedList);

/** What nobody could answer. */
export const gapList = () => people().then(({ GapList }) => GapList);

/** What is to be said of who else keeps pages, by the ids the service gave these. Never throws. */
export const keepersOf = async (service: ServiceAccess, ids: readonly string[]) =>
  (await people()).keepersOf(service, ids);
