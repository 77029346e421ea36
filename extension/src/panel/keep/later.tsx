import { useSignal } from "@preact/signals";
import type { ComponentType, VNode } from "preact";
import { useEffect } from "preact/hooks";

interface LaterProps<Props extends object> {
  /** Loads it; always the same function for the same part. */
  readonly part: () => Promise<ComponentType<Props>>;
  readonly of: Props;
}

/** A part of the panel that only some people open: loaded when it is first shown, nothing until then. */
export function Later<Props extends object>({ part, of }: LaterProps<Props>): VNode | null {
  const loaded = useSignal<{ readonly Part: ComponentType<Props> } | undefined>(undefined);
  useEffect(() => void part().then((Part) => (loaded.value = { Part })), [part]);
  if (loaded.value === undefined) return null;
  const { Part } = loaded.value;
  return <Part {...of} />;
}

/** What opens of kept pages, and of what was said before. */
export const kept = () => import("../kept-opened.ts").then(({ keptOpened }) => keptOpened);

/** Title and tags of a page. */
export const additionsForm = () => kept().then(({ AdditionsForm }) => AdditionsForm);

/** The same for a page that waits, which is held back meanwhile, or is kept. */
export const writingCard = () => kept().then(({ WritingCard }) => WritingCard);

/** What can be done with a page that is kept. */
export const keptMenu = () => kept().then(({ KeptMenu }) => KeptMenu);

/** What opens where people can be asked. */
export const people = () => import("../to-ask.ts").then(({ toAsk }) => toAsk.loadPeople());

/** What is asked of people, below an answer. */
export const askPerson = () => people().then(({ AskPerson }) => AskPerson);

/** What people answered since the panel was open last. */
export const answeredAsks = () => people().then(({ AnsweredAsks }) => AnsweredAsks);

/** Kept answers that a page may change. */
export const nearAnswers = () => people().then(({ NearAnswers }) => NearAnswers);
