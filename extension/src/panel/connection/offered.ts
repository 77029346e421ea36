/** Name of a question the empty panel offers. */
export type Offered = `panel.empty.${"tryPage1" | "tryPage2" | "tryPage3" | "try1" | "try2"}`;

/**
 * What is offered to be asked, by what there is to answer it. Where no model `writes`, sources are quoted: then a page
 * can be told by its beginning, and nothing else is sure to be found.
 */
export function offeredOf(hasPage: boolean, writes: boolean): readonly Offered[] {
  if (!hasPage) return writes ? ["panel.empty.try1", "panel.empty.try2"] : [];
  return ["panel.empty.tryPage1", ...(writes ? (["panel.empty.tryPage2", "panel.empty.tryPage3"] as const) : [])];
}
