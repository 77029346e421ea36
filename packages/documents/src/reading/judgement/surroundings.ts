import { remembered } from "../remembered.ts";

/** Parts of a page: the names of the elements that make them, and in brackets the roles. */
const REGIONS = {
  navigation: "nav [navigation] [menu] [menubar]",
  header: "header [banner]",
  footer: "footer [contentinfo]",
  aside: "aside [complementary]",
  form: "form [search]",
  dialog: "dialog [dialog] [alertdialog] [alert]",
  main: "main [main]",
  article: "article [article]",
  list: "li [listitem]",
  table: "table",
  code: "pre code",
  figure: "figure",
  quote: "blockquote",
  button: "button [button]",
  caption: "figcaption caption",
};
export type Region = keyof typeof REGIONS;

const REGION_OF: ReadonlyMap<string, Region> = new Map(
  Object.entries(REGIONS).flatMap(([region, names]) => names.split(" ").map((name) => [name, region as Region])),
);

/**
 * Names that furniture has; content; comments and answers; lists of other pages; notes on the author, and of what the
 * page earns; what narrows a list; reviews; what a thing is made of; figures beside a post; entries of a list; and the
 * body of an article.
 */
const NAMES = {
  furniture:
    /nav|menu|foot|header|masthead|banner|sidebar|side-bar|rail|widget|breadcrumb|crumb|cookie|consent|gdpr|privacy|modal|popup|overlay|toolbar|tooltip|share|sharing|social|subscribe|newsletter|signup|sign-up|login|promo|advert|\bads?\b|\bad-|-ad\b|sponsor|cart|search|filter|facet|sort|pagination|pager|skip|copyright|legal|lang/i,
  content:
    /content|article|\bpost|entry|story|\bbody|\bmain\b|prose|markdown|rich-?text|\btext|product|description|detail|spec|wysiwyg|page-?body|doc(?:s|ument)?-|hero|feature|section/i,
  comment: /comment|reply|replies|answer|message|thread|discussion|topic|review|respond|forum/i,
  related:
    /relat|recommend|similar|also-?like|you-?may|more-?from|read-?next|trending|popular|latest|recent|teaser|up-?next|outbrain|taboola|carousel|upsell|cross-?sell|suggest/i,
  byline: /author|autor|byline|\bbio\b|disclos|disclaim|affiliate|about-the|credit/i,
  filter: /filter|facet|refine|\bsort/i,
  review: /review|rating|testimonial|bewertung/i,
  specification: /spec|attribut|param|technical|propert|data-?sheet|details/i,
  figure: /vote|score|karma|\bstat|count|badge|avatar|signature|\buser/i,
  card: /teaser|card|tile|preview|thumb|\bgrid|swiper|slider|slick/i,
  body: /article-?_*(?:body|content|text)|entry-?content|post-?_*(?:body|content|text)|story-?_*(?:body|content|text)|content-?body|rich-?text|\bprose\b|markdown|\bcopy\b/i,
};
type Sort = keyof typeof NAMES;
const SORTS = Object.keys(NAMES) as readonly Sort[];

/** Microdata that says: this is it. */
const DECLARED = /articleBody|description|text|reviewBody|mainEntity|recipeInstructions|recipeIngredient|step/;

/** What the elements around a block say about it. Distances count elements outwards; Infinity: there is none. */
export interface Surroundings extends Readonly<Record<Sort, number>> {
  readonly regions: ReadonlySet<Region>;
  /** Of the innermost heading around it, from 1 to 6; 0: none. */
  readonly level: number;
  /** It is in a heading that can be linked to. */
  readonly anchored: boolean;
  /** Distance to microdata that says: this is it. */
  readonly declared: number;
  readonly depth: number;
}

const NONE: Surroundings = {
  regions: new Set(),
  level: 0,
  anchored: false,
  furniture: Infinity,
  content: Infinity,
  comment: Infinity,
  related: Infinity,
  byline: Infinity,
  filter: Infinity,
  review: Infinity,
  specification: Infinity,
  figure: Infinity,
  card: Infinity,
  body: Infinity,
  declared: Infinity,
  depth: 0,
};

/** Knows the surroundings of every element it is asked about; asks each element, and each name, once. */
export class SurroundingsFinder {
  readonly #known = new Map<Element, Surroundings>();
  readonly #sorts = new Map<string, ReadonlySet<Sort>>();

  of(element: Element): Surroundings {
    const known = this.#known.get(element);
    if (known !== undefined) return known;
    const parent = element.parentElement;
    const found = within(element, parent === null ? NONE : this.of(parent), this.#sorts);
    this.#known.set(element, found);
    return found;
  }
}

/** Which sorts of parts have such names. */
const sortsOf = (names: string): ReadonlySet<Sort> => new Set(SORTS.filter((sort) => NAMES[sort].test(names)));

function within(element: Element, outer: Surroundings, known: Map<string, ReadonlySet<Sort>>): Surroundings {
  const name = element.localName;
  const level = /^h[1-6]$/.test(name) ? Number(name[1]) : undefined;
  const isPage = name === "body" || name === "html" || name === "main";
  const names = isPage ? "" : `${element.getAttribute("class") ?? ""} ${element.id}`.slice(0, 300);
  const sorts = remembered(known, names, () => sortsOf(names));
  const distanceTo = (sort: Sort) => (sorts.has(sort) ? 0 : outer[sort] + 1);
  return {
    regions: regionsOf(name, element.getAttribute("role"), outer.regions),
    level: level ?? outer.level,
    anchored: level === undefined ? outer.anchored : isAnchored(element),
    furniture: distanceTo("furniture"),
    content: distanceTo("content"),
    comment: distanceTo("comment"),
    related: distanceTo("related"),
    byline: distanceTo("byline"),
    filter: distanceTo("filter"),
    review: distanceTo("review"),
    specification: distanceTo("specification"),
    figure: distanceTo("figure"),
    card: distanceTo("card"),
    body: distanceTo("body"),
    declared: DECLARED.test(element.getAttribute("itemprop") ?? "") ? 0 : outer.declared + 1,
    depth: outer.depth + 1,
  };
}

function regionsOf(name: string, role: string | null, outer: ReadonlySet<Region>): ReadonlySet<Region> {
  const own = [REGION_OF.get(name), REGION_OF.get(`[${role}]`)].filter((region) => region !== undefined);
  return own.every((region) => outer.has(region)) ? outer : new Set([...outer, ...own]);
}

function isAnchored(heading: Element): boolean {
  return heading.id !== "" || heading.querySelector("[id], a[href^='#']") !== null;
}
