import { realpath } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import { UsageError } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";
import { type Assistant, type Launch, SERVER_NAME } from "./assistant.ts";
import { findFile, replaceFile } from "./config-file.ts";
import { difference, withoutValues } from "./difference.ts";
import { BrokenConfigError, type ConfigLanguage } from "./edit/config-language.ts";
import { editedText, entryIn, languageOf } from "./edit/edited-text.ts";
import { fileOf, isOfProject } from "./places.ts";

/** What is to be done with an assistant's file. */
export interface InstallationPlan {
  readonly assistant: Assistant;
  /** How the server is started; undefined: its entry is taken out. */
  readonly launch: Launch | undefined;
  /** Only say what would change. */
  readonly isDryRun: boolean;
}

/** What was done. */
export interface Installation {
  readonly file: string;
  readonly isChanged: boolean;
  /** Our entry as it goes and comes, without values that somebody else wrote; empty where nothing changes. */
  readonly difference: string;
  /** Where the text is kept that was there before. */
  readonly backup: string | undefined;
}

/**
 * Puts our entry into an assistant's file, or takes it out. Throws UsageError where the file is left as it is: broken,
 * not to be written, or written in a way that cannot be changed without changing something else.
 */
export async function install(
  terminal: Pick<Terminal, "env" | "folder">,
  { assistant, launch, isDryRun }: InstallationPlan,
): Promise<Installation> {
  const entry = launch === undefined ? undefined : assistant.entry(launch);
  const file = await fileOf(assistant, terminal);
  const language = await languageOf(assistant.file.format);
  try {
    const found = await findFile(file);
    if (isOfProject(assistant.file)) await checkInside(found.path, terminal.folder);
    const edited = editedText(language, found.text ?? "", assistant.under, entry);
    const isChanged = edited !== (found.text ?? "");
    const { path, present } = entryIn(language, found.text ?? "", assistant.under);
    const isEmptied = entry === undefined && assistant.file.isOurs === true && isLeftEmpty(language, edited, path);
    const text = isEmptied ? undefined : edited;
    const backup = isChanged && !isDryRun ? await replaceFile(found, text) : undefined;
    return {
      file: found.path,
      isChanged,
      difference: isChanged
        ? difference(
            {
              path: found.text === undefined ? undefined : found.path,
              text: present === undefined ? undefined : language.sample(path, withoutValues(present, entry)),
            },
            {
              path: text === undefined ? undefined : found.path,
              text: entry === undefined ? undefined : language.sample(path, entry),
            },
          )
        : "",
      backup,
    };
  } catch (error) {
    if (!(error instanceof BrokenConfigError)) throw error;
    throw new UsageError(
      `Nothing was changed. ${file}, the file of ${assistant.name}, was left as it is: ${error.message}.`,
      ...(entry === undefined
        ? []
        : ["Put that right and run the command again, or add by hand what it prints with --print."]),
    );
  }
}

/** Whether a text is what is left of one that held our entry alone: no other server, and no comment of a person. */
function isLeftEmpty(language: ConfigLanguage, text: string, path: readonly string[]): boolean {
  const alone = language.sample(path, { command: "" });
  const bare = (one: string): string => one.replaceAll(/\s/g, "");
  return ["", "{}", bare(language.drop(alone, path))].includes(bare(text));
}

/** The file of a project may be a link that somebody else put there: it is not followed out of the project. */
async function checkInside(path: string, folder: string): Promise<void> {
  const within = relative(await realpath(folder), path);
  if (within.startsWith("..") || isAbsolute(within))
    throw new BrokenConfigError("it is a link that leads out of this folder");
}

/** Our entry as a person would add it by hand. */
export async function sampleOf({ file, under, entry }: Assistant, launch: Launch): Promise<string> {
  const language = await languageOf(file.format);
  return language.sample([...(under.at(-1) ?? []), SERVER_NAME], entry(launch));
}
