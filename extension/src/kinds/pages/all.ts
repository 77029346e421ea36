import type { Kind, KindPage } from "../kind-page.ts";
import { ARTICLES } from "./articles.ts";
import { DASHBOARDS } from "./dashboards.ts";
import { DOCUMENTATION } from "./documentation.ts";
import { FORUMS } from "./forums.ts";
import { FRAMES } from "./frames.ts";
import { IMAGES } from "./images.ts";
import { JSONS } from "./json.ts";
import { PDFS } from "./pdfs.harness.ts";
import { PRODUCTS } from "./products.ts";
import { SEARCH_RESULTS } from "./search-results.ts";
import { SIGN_INS } from "./sign-ins.ts";
import { TEXTS } from "./texts.ts";

/** Ten pages of each kind, five of them English. */
export const PAGES: Readonly<Record<Kind, readonly KindPage[]>> = {
  article: ARTICLES,
  documentation: DOCUMENTATION,
  product: PRODUCTS,
  forum: FORUMS,
  "search results": SEARCH_RESULTS,
  dashboard: DASHBOARDS,
  PDF: PDFS,
  text: TEXTS,
  JSON: JSONS,
  image: IMAGES,
  frames: FRAMES,
  "sign-in": SIGN_INS,
};
