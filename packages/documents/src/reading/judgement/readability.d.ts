/** The half of the package that reads: its entry also brings a quick check of whether a page can be read, never asked. */
declare module "@mozilla/readability/Readability.js" {
  export { Readability as default } from "@mozilla/readability";
}
