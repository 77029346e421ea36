/** What a page's JSON-LD says, as far as it matters here. */
export interface Declared {
  /** `@type`s in lower case. */
  readonly types: readonly string[];
  /** Bodies, names, descriptions, questions, answers. */
  readonly texts: readonly string[];
  /** Of those, bodies of articles. */
  readonly bodies: readonly string[];
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
}

const TEXTS = new Set(["articleBody", "description", "name", "headline", "text", "reviewBody", "abstract"]);
const MAX_NODES = 2_000;
/** Of all scripts together. */
const MAX_CHARACTERS = 3_000_000;

/** Reads every JSON-LD script of a document. What is not JSON is passed over. Bounded. */
export function declaredBy(document: Document): Declared {
  const types: string[] = [];
  const texts: string[] = [];
  const bodies: string[] = [];
  const nodes: Readonly<Record<string, unknown>>[] = [];
  const waiting: unknown[] = [];
  let characters = 0;
  for (const script of document.querySelectorAll("script[type='application/ld+json' i]")) {
    const written = script.textContent ?? "";
    characters += written.length;
    if (characters > MAX_CHARACTERS) break;
    const json = parsed(written);
    if (json !== undefined) waiting.push(json);
  }
  for (let at = 0; at < waiting.length && at < MAX_NODES; at++) {
    const node = waiting[at];
    if (Array.isArray(node)) waiting.push(...node.slice(0, 200));
    else if (typeof node === "object" && node !== null) {
      nodes.push(node as Record<string, unknown>);
      for (const [key, value] of Object.entries(node)) {
        if (key === "@type") types.push(...[value].flat().map((type) => String(type).toLowerCase()));
        else if (typeof value === "string" && TEXTS.has(key)) {
          texts.push(value.slice(0, 200_000));
          if (key === "articleBody") bodies.push(value.slice(0, 200_000));
        } else if (typeof value === "object") waiting.push(value);
      }
    }
  }
  return { types, texts, bodies, nodes };
}

function parsed(json: string): unknown {
  if (json.length > 2_000_000) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
