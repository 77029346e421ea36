/** What the elements around a block say about it. Distances count elements outwards; Infinity: there is none. */
export interface Surroundings {
  readonly navigation: boolean;
  readonly header: boolean;
  readonly footer: boolean;
  readonly aside: boolean;
  readonly form: boolean;
  readonly dialog: boolean;
  readonly main: boolean;
  readonly article: boolean;
  readonly list: boolean;
  readonly table: boolean;
  readonly code: boolean;
  readonly figure: boolean;
  readonly quote: boolean;
  readonly button: boolean;
  readonly caption: boolean;
  /** Of the innermost heading around it, from 1 to 6; 0: none. */
  readonly level: number;
  /** It is in a heading that can be linked to. */
  readonly anchored: boolean;
  /** Distance to a name that furniture has. */
  readonly furniture: number;
  /** Distance to a name that content has. */
  readonly content: number;
  /** Distance to a name that comments and answers have. */
  readonly comment: number;
  /** Distance to a name that lists of other pages have. */
  readonly related: number;
  /** Distance to microdata that says: this is it. */
  readonly declared: number;
  /** Distance to a name that notes on the author, and of what the page earns, have. */
  readonly byline: number;
  readonly depth: number;
}

const NONE: Surroundings = {
  navigation: false,
  header: false,
  footer: false,
  aside: false,
  form: false,
  dialog: false,
  main: false,
  article: false,
  list: false,
  table: false,
  code: false,
  figure: false,
  quote: false,
  button: false,
  caption: false,
  level: 0,
  anchored: false,
  furniture: Infinity,
  content: Infinity,
  comment: Infinity,
  related: Infinity,
  declared: Infinity,
  byline: Infinity,
  depth: 0,
};

const FURNITURE =
  /nav|menu|foot|header|masthead|banner|sidebar|side-bar|rail|widget|breadcrumb|crumb|cookie|consent|gdpr|privacy|modal|popup|overlay|toolbar|tooltip|share|sharing|social|subscribe|newsletter|signup|sign-up|login|promo|advert|\bads?\b|\bad-|-ad\b|sponsor|cart|search|filter|facet|sort|pagination|pager|skip|copyright|legal|lang/i;
const CONTENT =
  /content|article|\bpost|entry|story|\bbody|\bmain\b|prose|markdown|rich-?text|\btext|product|description|detail|spec|wysiwyg|page-?body|doc(?:s|ument)?-|hero|feature|section/i;
const COMMENT = /comment|reply|replies|answer|message|thread|discussion|topic|review|respond|forum/i;
const RELATED =
  /relat|recommend|similar|also-?like|you-?may|more-?from|read-?next|trending|popular|latest|recent|teaser|up-?next|outbrain|taboola|carousel|upsell|cross-?sell|suggest/i;
const BYLINE = /author|byline|\bbio\b|disclos|disclaim|affiliate|about-the|credit/i;
const DECLARED = /articleBody|description|text|reviewBody|mainEntity|recipeInstructions|recipeIngredient|step/;

/** Knows the surroundings of every element it is asked about; asks each element once. */
export class SurroundingsFinder {
  readonly #known = new Map<Element, Surroundings>();

  of(element: Element): Surroundings {
    const known = this.#known.get(element);
    if (known !== undefined) return known;
    const parent = element.parentElement;
    const found = within(element, parent === null ? NONE : this.of(parent));
    this.#known.set(element, found);
    return found;
  }
}

function within(element: Element, outer: Surroundings): Surroundings {
  const name = element.localName;
  const role = element.getAttribute("role") ?? "";
  const level = /^h[1-6]$/.test(name) ? Number(name[1]) : undefined;
  const isPage = name === "body" || name === "html" || name === "main";
  const names = isPage ? "" : `${element.getAttribute("class") ?? ""} ${element.id}`.slice(0, 300);
  const near = (hit: boolean, distance: number) => (hit ? 0 : distance + 1);
  return {
    navigation: outer.navigation || name === "nav" || role === "navigation" || role === "menu" || role === "menubar",
    header: outer.header || name === "header" || role === "banner",
    footer: outer.footer || name === "footer" || role === "contentinfo",
    aside: outer.aside || name === "aside" || role === "complementary",
    form: outer.form || name === "form" || role === "search",
    dialog: outer.dialog || name === "dialog" || role === "dialog" || role === "alertdialog" || role === "alert",
    main: outer.main || name === "main" || role === "main",
    article: outer.article || name === "article" || role === "article",
    list: outer.list || name === "li" || role === "listitem",
    table: outer.table || name === "table",
    code: outer.code || name === "pre" || name === "code",
    figure: outer.figure || name === "figure",
    quote: outer.quote || name === "blockquote",
    button: outer.button || name === "button" || role === "button",
    caption: outer.caption || name === "figcaption" || name === "caption",
    level: level ?? outer.level,
    anchored: level === undefined ? outer.anchored : isAnchored(element),
    furniture: near(FURNITURE.test(names), outer.furniture),
    content: near(CONTENT.test(names), outer.content),
    comment: near(COMMENT.test(names), outer.comment),
    related: near(RELATED.test(names), outer.related),
    declared: near(DECLARED.test(element.getAttribute("itemprop") ?? ""), outer.declared),
    byline: near(BYLINE.test(names), outer.byline),
    depth: outer.depth + 1,
  };
}

function isAnchored(heading: Element): boolean {
  return heading.id !== "" || heading.querySelector("[id], a[href^='#']") !== null;
}
