import { followUps } from "@threadlore/ask";
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { i18n } from "#i18n";
import type { Panel } from "../panel.ts";
import type { Turn } from "../ask/turn.ts";

interface FollowUpsProps {
  readonly panel: Panel;
  readonly turn: Turn;
}

/** What was offered behind an answer that is over; it is asked for once. */
const offered = new WeakMap<Turn, readonly string[]>();

/**
 * Questions that can be asked next, below the newest answer: each has been tried by the service, and a document of the
 * answer answers it. Nothing to see where there is none. Nothing is asked for where only pages were asked, which the
 * service does not hold.
 */
export function FollowUps({ panel, turn }: FollowUpsProps): VNode | null {
  const questions = useSignal<readonly string[]>(offered.get(turn) ?? []);
  const answer = turn.answer.value;
  const { searchOff } = turn.notes.value;
  useEffect(() => {
    const service = panel.service.peek();
    if (service === undefined || !turn.scope.company || searchOff !== undefined || offered.has(turn)) return undefined;
    const left = new AbortController();
    const look = async () => {
      const { deployment } = await service.wire();
      const found = await followUps(deployment, answer, { signal: left.signal });
      if (left.signal.aborted) return;
      questions.value = found.map(({ question }) => question);
      offered.set(turn, questions.value);
    };
    void look();
    return () => left.abort();
  }, [turn, answer.status]);
  if (questions.value.length === 0) return null;
  return (
    <section class="follow-ups" aria-label={i18n.t("panel.answer.next")}>
      <ul>
        {questions.value.map((question) => (
          <li key={question}>
            <button
              type="button"
              class="suggestion"
              dir="auto"
              onClick={() => panel.ask(question, { page: false, company: true })}
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
