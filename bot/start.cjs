#!/usr/bin/env node
// CommonJS without new syntax: an old Node can read this, and says what is wrong instead of failing at a type.
"use strict";
var version = process.versions.node.split(".").map(Number);
var major = version[0];
var minor = version[1];
// Node reads TypeScript by itself since 22.18, and in version 23 since 23.6.
if (major < 22 || (major === 22 && minor < 18) || (major === 23 && minor < 6)) {
  process.stderr.write("threadlore-bot needs Node 22.18 or newer; this is Node " + process.versions.node + ".\n");
  process.exitCode = 2;
} else {
  import("./src/main.ts");
}
