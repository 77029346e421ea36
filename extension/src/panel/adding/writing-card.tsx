import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { goOn, HOLD_MS, holdBack } from "../../outbox/revise.ts";
import { wakeBackground } from "../../outbox/wake.ts";
import type { WrittenPage } from "../keep/keep-view.ts";
import { AdditionsForm } from "./additions-form.tsx";

interface WritingCardProps {
  readonly page: WrittenPage;
  readonly onEnd: () => void;
}

/**
 * Title, tags and note of a page that waits to be sent, or is kept. One that waits is held back while the card is there;
 * where the panel is closed meanwhile, it goes out as it was. One that was sent goes out again with them.
 */
export function WritingCard({ page: { key, title, additions }, onEnd }: WritingCardProps): VNode {
  useEffect(() => {
    void holdBack(key);
    const holding = setInterval(() => void holdBack(key), HOLD_MS / 3);
    return () => clearInterval(holding);
  }, [key]);
  const end = async () => {
    await goOn(key);
    await wakeBackground();
    onEnd();
  };
  return <AdditionsForm pageKey={key} title={title} additions={additions} onEnd={() => void end()} />;
}
