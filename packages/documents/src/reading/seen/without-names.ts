/**
 * Elements with a name or id shadow the properties of their document and their form: after `<img name="body">`,
 * `document.body` is that image, in extensions' own worlds too. What is here asks past them.
 */
const REAL = Symbol("the object itself");

/** The object as its kind defines it, whatever in the page bears the names of its properties. Not for calls that want the object itself: `realOf`. */
function withoutNames<Subject extends object>(subject: Subject, kind: object): Subject {
  return new Proxy(subject, {
    get(target, key) {
      if (key === REAL) return target;
      const value: unknown = key in kind ? Reflect.get(kind, key, target) : Reflect.get(target, key);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A document whose properties are its own. */
export function plainDocument(page: Document): Document {
  return withoutNames(page, Document.prototype);
}

/** The document in a frame, where it can be read. */
export function documentIn(frame: HTMLIFrameElement): Document | undefined {
  try {
    return frame.contentDocument === null ? undefined : plainDocument(frame.contentDocument);
  } catch {
    return undefined;
  }
}

/** An element whose properties are its own: forms alone have names in them. */
export function plainElement(element: Element): Element {
  const isForm = Reflect.get(Element.prototype, "localName", element) === "form";
  return isForm ? withoutNames(element, HTMLFormElement.prototype) : element;
}

/** What the browser's own functions can be given. */
export function realOf<Subject extends object>(subject: Subject): Subject {
  return (subject as { readonly [REAL]?: Subject })[REAL] ?? subject;
}

/** The window an element is shown in; null for a document that is not on a screen. */
export function viewOf(element: Element): (Window & typeof globalThis) | null {
  return Reflect.get(Document.prototype, "defaultView", element.ownerDocument) as (Window & typeof globalThis) | null;
}

/** Kind of a node: 1 an element, 3 a text. */
export const nodeTypeOf = (node: Node): number => Reflect.get(Node.prototype, "nodeType", node) as number;

/** The node after it. */
export const nextOf = (node: Node): ChildNode | null =>
  Reflect.get(Node.prototype, "nextSibling", node) as ChildNode | null;

/** The node it is a child of. */
export const parentOf = (node: Node): Node | null => Reflect.get(Node.prototype, "parentNode", node) as Node | null;

const BEARS_NAME = /^(?:img|button|fieldset|output|form)$/;

/** Takes from a copy what would shadow properties of the document or form it is put into. */
export function forgetNames(copy: Element, name: string): void {
  if (!BEARS_NAME.test(name)) return;
  copy.removeAttribute("name");
  if (name !== "form") copy.removeAttribute("id");
}
