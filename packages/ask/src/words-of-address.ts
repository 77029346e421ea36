/** What a program wrote at the end of a document's name, and nobody searches by. */
const EXTENSION = /\.(?:html?|md|txt|pdf|aspx?|php|docx?|pptx?|xlsx?|od[tps])$/i;
/** A key in the form programs give it, whose pieces could be taken for words. */
const UUID = /[a-f\d]{8}(?:-[a-f\d]{4}){3}-[a-f\d]{12}/gi;

/**
 * The words of an address that say what lies there, to search by: those of the last part of its path that has any, with
 * escapes decoded and names like `expensePolicy` taken apart. Numbers and keys name nothing; host, query and place in the
 * page are passed over. An id that is no address is read as a path. Empty where no words are left. Never throws.
 */
export function wordsOfAddress(address: string): string {
  const path = URL.parse(address)?.pathname ?? address;
  const named = path.split("/").map((part) =>
    decoded(part)
      .replace(EXTENSION, "")
      .replaceAll(UUID, " ")
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      // A vowel's sign belongs to its word.
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => /\p{L}/u.test(word) && !/\d{3,}|[a-f\d]{12,}/i.test(word))
      .join(" "),
  );
  return named.findLast((part) => part !== "") ?? "";
}

/** A part of a path as people read it; escapes that are no letters leave a gap. */
function decoded(part: string): string {
  return part.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return " ";
    }
  });
}
