import { takeOffList } from "../outbox/revise.ts";
import { AdditionsForm } from "./adding/additions-form.tsx";
import { WritingCard } from "./adding/writing-card.tsx";
import { PastView } from "./history/past-view.tsx";
import { KeptMenu } from "./keep/kept-menu.tsx";
import { mark, takeMarkBack } from "./marking/marking.ts";

/**
 * What opens of a kept page, or of one that waits: its menu, what its person adds and highlights, and the list of all of
 * them. In one file, as one leads to the other.
 */
export const keptOpened = { AdditionsForm, KeptMenu, PastView, WritingCard, mark, takeMarkBack, takeOffList };
