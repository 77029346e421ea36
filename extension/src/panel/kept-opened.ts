import { AdditionsForm } from "./keep/additions-form.tsx";
import { KeptMenu } from "./keep/kept-menu.tsx";
import { WritingCard } from "./keep/writing-card.tsx";

/**
 * What opens of a kept page, or of one that waits: its menu, and what its person adds. In one file, as one leads to the
 * other.
 */
export const keptOpened = { AdditionsForm, KeptMenu, WritingCard };
