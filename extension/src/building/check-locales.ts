import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseMessagesFile } from "@wxt-dev/i18n/build";

/** The language the others are translated from. */
const FIRST = "en.yml";

/**
 * What is missing or too much in any language, compared with English, in plain words; none: every person reads their
 * own language throughout. Placeholders count too: a translation without one would keep a number or a name to itself.
 */
export async function checkLocales(folder: string): Promise<string[]> {
  const expected = await messagesOf(join(folder, FIRST));
  const problems: string[] = [];
  for (const file of readdirSync(folder).toSorted()) {
    const found = await messagesOf(join(folder, file));
    for (const [key, text] of expected) {
      const translated = found.get(key);
      if (translated === undefined) problems.push(`locales/${file}: ${key} is missing.`);
      else if (translated.trim() === "") problems.push(`locales/${file}: ${key} is empty.`);
      else if (placeholdersOf(translated) !== placeholdersOf(text)) {
        problems.push(`locales/${file}: ${key} has other placeholders than English.`);
      }
    }
    for (const key of found.keys()) {
      if (!expected.has(key)) problems.push(`locales/${file}: ${key} is not in English.`);
    }
  }
  return problems;
}

async function messagesOf(file: string): Promise<Map<string, string>> {
  const messages = await parseMessagesFile(file);
  return new Map(
    messages.map((message) => {
      const text = message.type === "plural" ? Object.values(message.plurals).join("|") : message.message;
      return [message.key.join("."), text];
    }),
  );
}

function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\$\d/g))].toSorted().join(" ");
}
