/**
 * What a reader sees of marked-up text, roughly: links and pictures without their addresses, no marks of emphasis, no
 * tags. For measuring and telling, not for showing what a stranger wrote: marks of other kinds stay.
 */
export function plainTextOf(text: string): string {
  return text
    .replace(/!\[[^[\]]{0,200}\](?:\([^()\s]{0,500}\)|\[[^[\]]{0,100}\])/g, "")
    .replace(/\[([^[\]]{0,300})\](?:\([^()\s]{0,500}\)|\[[^[\]]{0,100}\])/g, "$1")
    .replace(/<[^<>]{0,300}>|https?:\/\/\S+|[*`]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
