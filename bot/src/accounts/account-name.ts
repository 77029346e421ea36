/** Characters of a name that are kept. */
const MOST = 120;

/** What an account is called, as one line of what one sees: its server, or whoever writes to the database, may have written anything. */
export const accountName = (text: string): string =>
  [...text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")].slice(0, MOST).join("");
