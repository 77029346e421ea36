import type { VNode } from "preact";
import type { History } from "./history.ts";
import { Later } from "../keep/later.tsx";

/** What the view of earlier conversations and kept pages is given. */
export interface HistoryViewProps {
  readonly history: History;
  /** The panel's window is a private one. */
  readonly isPrivate: boolean;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

const pastView = () => import("../kept-opened.ts").then(({ keptOpened }) => keptOpened.PastView);

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
