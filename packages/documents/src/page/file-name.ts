import { shownLine } from "../text.ts";

/** Longest name, in characters. */
const MAX_NAME = 300;

/** What a file without a title is called: by its name in the address it is open under, else by the host. */
export function fileNameOf(url: string): string {
  const { pathname = "", host = url } = URL.parse(url) ?? {};
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return shownLine(decodeURIComponent(last), MAX_NAME) || host;
  } catch {
    return shownLine(last, MAX_NAME) || host;
  }
}
