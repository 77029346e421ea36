/** What of HTML is text that a person could see: for whoever reads a page that is open, as `fileText` reads a file. */
export { isConcealed, isLeftOut } from "./kinds/html-hidden.ts";
export { HtmlText } from "./kinds/html-text.ts";
