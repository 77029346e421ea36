/** Pages one run takes unless it is told, and the most it can be told. */
export const USUAL_MOST_PAGES = 1_000;
export const MAX_PAGES = 50_000;
