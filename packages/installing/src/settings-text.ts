/** Settings as systemd reads them from an EnvironmentFile, and Node's `parseEnv` too. */
export function settingsText(settings: Readonly<Record<string, string>>, notes: readonly string[] = []): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${valueOf(value)}`);
  return `${[...notes.map((note) => `# ${note}`), ...lines].join("\n")}\n`;
}

/** Quoted where something in it would be read otherwise. Both readers take what is between single quotes as it is. */
function valueOf(value: string): string {
  const line = value.replaceAll(/[\r\n]+/g, " ");
  if (/^[\w./:=@,+%~^*[\]{}()|&;<>!?-]*$/.test(line)) return line;
  return line.includes("'") ? `"${line.replaceAll('"', '\\"')}"` : `'${line}'`;
}
