/** Whole values, and the parts of them that blanks divide: servers also repeat a token without its scheme. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]).filter((part) => part.length >= 8);
  return parts.reduce((clean, part) => clean.replaceAll(part, "(secret)"), text);
}
