import { readFileSync, type Stats, statSync } from "node:fs";

/**
 * A secret that stands in a file, without the blanks around it; or why it cannot be used, in words that say what to do and
 * never what is in it. A secret others on the machine can read is none.
 */
export function secretIn(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const isOpen = process.platform !== "win32" && isOpenToOthers(statSync(path));
    const text = isOpen ? "" : readFileSync(path, "utf8").trim();
    if (text !== "") return { text };
    return {
      problem: isOpen
        ? `others on this machine can read ${path}. Run: chmod 600 ${path}`
        : `${path} is empty: write the secret into it.`,
    };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return { problem: `${path} cannot be read (${code}): check the path and who owns the file.` };
  }
}

/**
 * What root lends to a group of this process, for reading alone, is this process's: so an account's settings are written here
 * (`lentFile`), and so Kubernetes mounts secrets.
 */
function isOpenToOthers({ mode, uid, gid }: Stats): boolean {
  if ((mode & 0o077) === 0) return false;
  const groups = [process.getgid?.(), ...(process.getgroups?.() ?? [])];
  return (mode & 0o037) !== 0 || uid !== 0 || gid === 0 || !groups.includes(gid);
}
