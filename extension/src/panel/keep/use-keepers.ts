import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Panel } from "../panel.ts";
import type { KeptRow } from "./kept-rows.ts";
import { keepersOf } from "../people/people-later.ts";

/** Of so many pages, those kept last, it is asked who else keeps them. */
const MAX_ASKED = 300;

/** Who else keeps the pages of a list, in words, by the ids the service gave these: asked once, when the list is there. */
export function useKeepers(
  panel: Panel,
  rows: Signal<readonly KeptRow[] | undefined>,
): Signal<ReadonlyMap<string, string>> {
  const told = useSignal<ReadonlyMap<string, string>>(new Map());
  const service = panel.service.value;
  const isTold = panel.people.value !== undefined;
  const isRead = rows.value !== undefined;
  useEffect(() => {
    if (service === undefined || !isTold || !isRead) return undefined;
    let isCurrent = true;
    const ids = (rows.peek() ?? []).flatMap(({ serverDocumentId: id }) => id ?? []).slice(0, MAX_ASKED);
    void keepersOf(service, ids).then((found) => isCurrent && (told.value = found));
    return () => (isCurrent = false);
  }, [service, isTold, isRead]);
  return told;
}
