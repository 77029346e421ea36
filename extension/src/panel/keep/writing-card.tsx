import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { KeptAdditions } from "../../keep/additions.ts";
import { goOn, HOLD_MS, holdBack, revise } from "../../outbox/revise.ts";
import { wakeBackground } from "../../outbox/wake.ts";
import { acted } from "./acting.ts";
import { AdditionsForm } from "./additions-form.tsx";
import type { WrittenPage } from "./keep-view.ts";

interface WritingCardProps {
  readonly page: WrittenPage;
  readonly onEnd: () => void;
}

/**
 * Title, tags and note of a page that waits to be sent, or is kept. One that waits is held back while the card is there;
 * where the panel is closed meanwhile, it goes out as it was. One that was sent goes out again with them. What could not
 * be done is said, and what is written stays.
 */
export function WritingCard({ page: { key, title, additions }, onEnd }: WritingCardProps): VNode {
  const problem = useSignal("");
  useEffect(() => {
    void holdBack(key);
    const holding = setInterval(() => void holdBack(key), HOLD_MS / 3);
    return () => clearInterval(holding);
  }, [key]);
  const leave = async () => {
    await goOn(key);
    await wakeBackground();
    onEnd();
  };
  const end = async (given: KeptAdditions) => {
    problem.value = await acted(() => revise(key, given));
    if (problem.value === "") await leave();
  };
  return (
    <>
      {problem.value === "" ? null : (
        <p class="past-problem" role="alert">
          {problem.value}
        </p>
      )}
      <AdditionsForm
        title={title}
        additions={additions}
        onDone={(given) => void end(given)}
        onLeave={() => void leave()}
      />
    </>
  );
}
