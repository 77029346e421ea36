import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { KeptAdditions } from "../../keep/additions.ts";
import type { OutboxEntry } from "../../outbox/outbox-entry.ts";
import { goOn, HOLD_MS, holdBack, revise } from "../../outbox/revise.ts";
import { wakeBackground } from "../../outbox/wake.ts";
import { AdditionsForm } from "./additions-form.tsx";

interface WritingCardProps {
  readonly entry: OutboxEntry;
  readonly onEnd: () => void;
}

/**
 * Title and tags of a page that waits to be sent. It is held back while the card is there; where the panel is closed
 * meanwhile, it goes out as it was. A page that was quicker is sent again.
 */
export function WritingCard({ entry: { key, title, additions }, onEnd }: WritingCardProps): VNode {
  useEffect(() => {
    void holdBack(key);
    const holding = setInterval(() => void holdBack(key), HOLD_MS / 3);
    return () => clearInterval(holding);
  }, [key]);
  const end = async (given?: KeptAdditions) => {
    if (given !== undefined) await revise(key, given).catch(() => {});
    await goOn(key);
    await wakeBackground();
    onEnd();
  };
  return (
    <AdditionsForm title={title} additions={additions} onDone={(given) => void end(given)} onLeave={() => void end()} />
  );
}
