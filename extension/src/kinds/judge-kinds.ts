import { askAndKeep } from "./ask-and-keep.ts";
import { type Kind, KINDS, type KindPage } from "./kind-page.ts";
import { outcomeOf } from "./outcome.ts";
import type { ScoredPage } from "./outcome-table.ts";
import { PAGES } from "./pages/all.ts";

/** Has the pages that `choose` takes asked about and kept, and judges each; default: all of them. */
export async function judgeKinds(
  choose: (pages: readonly KindPage[], kind: Kind) => readonly KindPage[] = (pages) => pages,
  onPage: (words: string) => void = () => {},
): Promise<ScoredPage[]> {
  const chosen = KINDS.flatMap((kind) => choose(PAGES[kind], kind).map((page) => ({ kind, page })));
  const seen = await askAndKeep(
    chosen.map(({ page }) => page),
    ({ page: { at } }) => onPage(at),
  );
  return chosen.flatMap(({ kind, page }, index) => {
    const one = seen[index];
    return one === undefined ? [] : [{ kind, ...page, outcome: outcomeOf(one) }];
  });
}
