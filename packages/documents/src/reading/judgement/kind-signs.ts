/** What words in an address say about the page behind it: each a kind of page, or a part of a site. */
const SIGNS: readonly RegExp[] = [
  /\bdocs?\b|document|developer|manual|reference|\bwiki|\bapi\b|\bguides?\b|\blearn|tutorial|readthedocs|handbook/,
  /forum|thread|topic|question|communit|comments|discuss|\bviewtopic|\/t\/|\/q\/|reddit|answers/,
  /\/products?\b|\/p\/|\/dp\/|\/item|\bshop\b|\bstore\b|\bbuy\b|\bsku\b/,
  /categor|collection|\/tags?\b|search|\/browse|\bcatalog|\/shop\/?$|listing|directory|\/jobs?\b|\ball\b/,
  /blog|news|article|stor(?:y|ies)\b|\/posts?\b|\/20[0-3]\d\b|press|insights|magazine|-\w+-\w+-\w+-\w+/,
  /service|solution|pricing|features|platform|software|compan|about/,
];

/** Whether the address of a page has a sign of documentation, a forum, a product, a list, an article, an offer; and of a front page. */
export function kindSigns(url: string): boolean[] {
  const { hostname, pathname, search } = URL.canParse(url) ? new URL(url) : { hostname: "", pathname: "", search: "" };
  const address = `${hostname}${pathname}${search}`.toLowerCase().slice(0, 500);
  return [...SIGNS.map((sign) => sign.test(address)), /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(pathname)];
}

/** Whether the address of a page has a sign of a forum. */
export const isForum = (url: string): boolean => kindSigns(url)[1] === true;
