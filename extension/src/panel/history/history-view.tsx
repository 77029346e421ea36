import type { VNode } from "preact";
import { kept, Later } from "../keep/later.tsx";
import type { Panel } from "../panel.ts";

/** What the view of earlier conversations and kept pages is given. */
export interface HistoryViewProps {
  readonly panel: Panel;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

const pastView = () => kept().then(({ PastView }) => PastView);

/** Conversations held before, and pages kept from this browser. */
export function HistoryView(props: HistoryViewProps): VNode {
  return (
    <main
      class="history"
      aria-labelledby="history-title"
      onKeyDown={(event) => {
        if (event.key === "Escape") props.onClose();
      }}
    >
      <Later part={pastView} of={props} />
    </main>
  );
}
