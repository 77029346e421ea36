/** What the name of a file or folder of a Notion export tells. */
export interface NotionName {
  /** Without id and ending. */
  readonly title: string;
  /** The 32 hex digits Notion knows it by; undefined: the name has none. */
  readonly id: string | undefined;
  /** `.md`, lower case; "" without. */
  readonly ending: string;
  /** A table with all of a database's rows; one of the same name without the mark has those of a view. */
  readonly isWhole: boolean;
}

const NAME = /^(.*?)(?:[ _-]?([0-9a-f]{32}))?(_all)?(\.[a-z0-9]{1,8})?$/is;

/** Reads the last part of a path. */
export function notionName(path: string): NotionName {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const [, title = name, id, all, ending = ""] = NAME.exec(name) ?? [];
  const isTable = ending.toLowerCase() === ".csv";
  // Elsewhere the mark is a part of the title.
  const isWhole = all !== undefined && isTable;
  return {
    title: all === undefined || isWhole ? title.trim() : `${title}${id ?? ""}${all}`.trim(),
    id: id?.toLowerCase(),
    ending: ending.toLowerCase(),
    isWhole,
  };
}

/** Address of a page or database. */
export const notionLink = (id: string): string => `https://www.notion.so/${id}`;

const WRAPPER = /^(?:Export-[0-9a-f-]{36}|Private & Shared)$/i;

/** The titles of the folders a path lies in, without what every export is wrapped in. */
export function notionTrail(path: string): string[] {
  const folders = path.split("/").slice(0, -1);
  while (folders[0] !== undefined && WRAPPER.test(folders[0])) folders.shift();
  return folders.map((folder) => notionName(`${folder}.md`).title).filter((title) => title !== "");
}

/** A path as a person knows it: without ids and wrappers. */
export function notionShownPath(path: string): string {
  const { title, ending } = notionName(path);
  return [...notionTrail(path), `${title || "Untitled"}${ending}`].join("/");
}
