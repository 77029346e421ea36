/** Why a file of this machine cannot be read or written, in plain words. */

/** What is at the path can be neither read nor walked: a pipe, a socket, a device. */
export const NEITHER_FILE_NOR_FOLDER = "it is neither a file nor a folder";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it is not there any more",
  ENOTDIR: "it is not there any more",
  EISDIR: "it is a folder",
  EACCES: "you may not read it. Ask its owner for the right to, or leave it out",
  EPERM: "you may not read it. Ask its owner for the right to, or leave it out",
  ELOOP: "it is a link, or its links lead in a circle",
  ENAMETOOLONG: "its path is longer than the system takes",
  ENXIO: NEITHER_FILE_NOR_FOLDER,
  EIO: "the disk could not read it",
};

/** Why a path that was there cannot be looked at. */
export function unreadable(error: unknown): string {
  const code = codeOf(error) ?? "unknown";
  return REASONS[code] ?? `it cannot be read (${code})`;
}

const NOT_YOURS = "you may not write it. Ask its owner for the right to";

const WHY_NOT_WRITTEN: Readonly<Record<string, string>> = {
  EACCES: NOT_YOURS,
  EPERM: NOT_YOURS,
  EROFS: "the disk it is on can only be read",
  ENOSPC: "the disk it is on is full",
  EDQUOT: "the disk it is on is full",
  EISDIR: "it is a folder",
  ENOENT: "its folder is not there",
  ENOTDIR: "what should be a folder on its path is a file",
  EEXIST: "what should be a folder on its path is a file",
  ELOOP: "it is a link, or its links lead in a circle",
  ENAMETOOLONG: "its path is longer than the system takes",
};

/** Why nothing can be written to a path. */
export function unwritable(error: unknown): string {
  const code = codeOf(error) ?? "unknown";
  return WHY_NOT_WRITTEN[code] ?? `it cannot be written (${code})`;
}

/** Whether nothing is at the path. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
}

/** The system's word for what went wrong with a file, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
