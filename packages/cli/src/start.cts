#!/usr/bin/env node
/**
 * Where the installed command starts: it says which Node is needed before anything is loaded that an older one cannot
 * even read. CommonJS, and in words every Node knows.
 */
(function start(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // 22.16 brought the last of what is used of node:sqlite (its backup); 23 ended before it had all of it.
  if (major > 23 || (major === 22 && minor >= 16)) {
    void import("./main.ts");
    return;
  }
  process.stderr.write(
    `threadlore needs Node 22.16 or newer (not 23); this is Node ${process.versions.node}. Install a newer one from https://nodejs.org, then run the command again.\n`,
  );
  process.exitCode = 2;
})();
