/**
 * Opens ten pages of each of twelve kinds in a real browser, asks about each, keeps it, finds it again, and writes what
 * came of it into the README, and what went wrong into a list of its own. Takes some minutes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hasChromium } from "../testing/chromium.ts";
import { judgeKinds } from "./judge-kinds.ts";
import { listOfFailures, tableOf } from "./outcome-table.ts";

const README = fileURLToPath(new URL("../../README.md", import.meta.url));
const LIST = fileURLToPath(new URL("OUTCOMES.md", import.meta.url));
const BEGIN = "<!-- kinds of pages: written by src/kinds/main.ts -->";
const END = "<!-- kinds of pages: end -->";

if (!(await hasChromium())) throw new Error("There is no Chromium to open the pages with.");
const text = readFileSync(README, "utf8");
const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
if (from === -1 || to === -1) throw new Error(`${README} has no place for the outcomes.`);
const judged = await judgeKinds(undefined, (at) => process.stderr.write(`${at}\n`));
writeFileSync(README, `${text.slice(0, from + BEGIN.length)}\n\n${tableOf(judged)}\n\n${text.slice(to)}`);
const list = listOfFailures(judged);
writeFileSync(LIST, `# What did not come out as it should\n\nWritten by \`main.ts\`.\n\n${list}\n`);
process.stdout.write(`${tableOf(judged)}\n`);
