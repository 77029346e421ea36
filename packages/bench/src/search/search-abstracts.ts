import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder } from "@threadlore/testkit";

/** Public abstracts with questions people asked about them, and which abstracts answer each. */
export interface Abstracts {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly questions: readonly string[];
  /** Per question, the ids of the documents that answer it. */
  readonly relevant: readonly ReadonlySet<string>[];
}

/** The Cranfield collection: 1,400 abstracts and 225 questions; undefined where the reference files are not there. */
export function readAbstracts(): Abstracts | undefined {
  const folder = sharedFolder("retrieval");
  if (folder === undefined) return undefined;
  const xml = execFileSync("xz", ["-dc", join(folder, "cran.all.1400.xml.xz")], { maxBuffer: 1 << 26 }).toString();
  const documents = recordsOf(xml, "doc").map((record) => {
    const title = fieldOf(record, "title");
    const text = fieldOf(record, "text");
    // The text of each abstract begins with its title once more.
    return { id: fieldOf(record, "docno"), title, text: text.startsWith(title) ? text.slice(title.length) : text };
  });
  const asked = readFileSync(join(folder, "cran.qry.xml"), "utf8");
  const questions = recordsOf(asked, "top").map((record) => fieldOf(record, "title").replace(/\s+/g, " "));
  const relevant = questions.map(() => new Set<string>());
  for (const line of readFileSync(join(folder, "cranqrel.trec.txt"), "utf8").trim().split("\n")) {
    const [question, , document, judgment] = line.trim().split(/\s+/);
    if (Number(judgment) > 0) relevant[Number(question) - 1]?.add(document ?? "");
  }
  return { documents, questions, relevant };
}

function recordsOf(xml: string, name: string): string[] {
  return xml.split(`<${name}>`).slice(1);
}

function fieldOf(record: string, name: string): string {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(record)?.[1]?.trim() ?? "";
}
