import { useSignal } from "@preact/signals";
import type { ComponentType, VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { ServiceAccess } from "../connection/service-access.ts";

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

/** Title and tags of a page. */
export const additionsForm = () => import("../kept-opened.ts").then(({ keptOpened }) => keptOpened.AdditionsForm);

/** The same for a page that waits, which is held back meanwhile, or is kept. */
export const writingCard = () => import("../kept-opened.ts").then(({ keptOpened }) => keptOpened.WritingCard);

/** What can be done with a page that is kept. */
export const keptMenu = () => import("../kept-opened.ts").then(({ keptOpened }) => keptOpened.KeptMenu);

const people = () => import("../people-opened.ts").then(({ peopleOpened }) => peopleOpened);

/** What is asked of people, below an answer. */
export const askPerson = () => people().then(({ AskPerson }) => AskPerson);

/** What people answered since the panel was open last. */
export const answeredAsks = () => people().then(({ AnsweredAsks }) => AnsweredAsks);

/** What was asked of people, and what became of it. */
export const askedList = () => people().then(({ AskedList }) => AskedList);

/** What nobody could answer. */
export const gapList = () => people().then(({ GapList }) => GapList);

/** What is to be said of who else keeps pages, by the ids the service gave these. Never throws. */
export const keepersOf = async (service: ServiceAccess, ids: readonly string[]) =>
  (await people()).keepersOf(service, ids);
