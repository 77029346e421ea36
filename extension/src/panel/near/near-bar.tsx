import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Panel } from "../panel.ts";
import { focusComposer } from "../view/composer.tsx";

interface NearBarProps {
  readonly panel: Panel;
  readonly views: NonNullable<Panel["views"]["value"]>;
}

/** Kept answers that the page in front may change, where it was kept a moment ago. Of another page its menu tells. */
export function NearBar({ panel, views }: NearBarProps): VNode | null {
  const view = views.keeping.view.value;
  const service = panel.service.value;
  const isTold = view.state === "kept" && views.keeping.isTold.value;
  const page = isTold ? view.page : undefined;
  const first = useMemo(() => page?.key, [isTold]);
  const closed = useSignal("");
  if (service === undefined || panel.people.value === undefined || page === undefined || page.key !== first)
    return null;
  // Sent once more, it may say something else.
  const of = `${page.serverDocumentId} ${isTold ? view.since : ""}`;
  if (closed.value === of) return null;
  const onClose = () => {
    closed.value = of;
    focusComposer();
  };
  return <views.Later key={of} part={views.nearAnswers} of={{ service, id: page.serverDocumentId, onClose }} />;
}
