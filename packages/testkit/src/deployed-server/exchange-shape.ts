type Json = Record<string, unknown>;

/** The words and counts of a reply are its own; where it stands in an answer, and why it ended, are not. */
const telling = new Set([
  "type",
  "turn_index",
  "tab_index",
  "stop_reason",
  "error_code",
  "is_retryable",
  "status_code",
]);

/** What a value is made of: every place in it, with the kind of value found there. */
function shapeOf(value: unknown, place = "$"): string[] {
  if (Array.isArray(value)) return [`${place}: a list`, ...value.flatMap((element) => shapeOf(element, `${place}[]`))];
  if (typeof value === "object" && value !== null) {
    // What documents and tools say about themselves differs from one to the next.
    if (/\.(metadata|spec|definition)$/.test(place)) return [`${place}: an object`];
    const members = Object.entries(value).flatMap(([name, member]) => shapeOf(member, `${place}.${name}`));
    return [`${place}: {${Object.keys(value).toSorted().join(", ")}}`, ...members];
  }
  const named = telling.has(place.replace(/^.*\./, ""));
  return [`${place}: ${named ? JSON.stringify(value) : value === null ? "null" : typeof value}`];
}

/** What is in the one and was never in the other. */
function unheardOf(double: unknown, recorded: unknown): string[] {
  const heard = new Set(shapeOf(recorded));
  return [...new Set(shapeOf(double))].filter((one) => !heard.has(one));
}

/** The lines of a stream. Numbers that are none, which no JSON parser reads, are null. */
export function linesOf(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line): unknown => JSON.parse(line.replace(/: (NaN|-?Infinity)\b/g, ": null")));
}

/** Repetitions of like lines are one: how many words an answer has says nothing. Heartbeats come when they come. */
function course(lines: readonly unknown[]): string[] {
  const steps = lines
    .filter((line) => !JSON.stringify(line).includes("chat_heartbeat"))
    .map((line) => {
      const { placement, obj, ...rest } = line as { placement?: Json; obj?: Json };
      if (obj === undefined) return Object.keys(rest).join(", ");
      const reason = obj["type"] === "stop" ? ` ${String(obj["stop_reason"])}` : "";
      return `${JSON.stringify(placement)} ${String(obj["type"])}${reason}`;
    });
  return steps.filter((step, index) => step !== steps[index - 1]);
}

/** How a reply differs in kind from a recorded one; both as text. */
export function differences(own: string, recorded: string, contentType: string): string[] {
  if (contentType.startsWith("text/event-stream")) {
    const [lines, real] = [linesOf(own), linesOf(recorded)];
    const [steps, realSteps] = [course(lines), course(real)].map((some) => some.join("\n"));
    const strange = /[^\n\x20-\x7e]/.exec(own)?.[0];
    return [
      ...(steps === realSteps ? [] : [`It went\n${steps}\ninstead of\n${realSteps}`]),
      ...(own.endsWith("\n") === recorded.endsWith("\n") ? [] : ["It ends otherwise."]),
      ...(strange === undefined ? [] : [`It holds ${strange}.`]),
      ...unheardOf(lines, real),
    ];
  }
  if (!contentType.startsWith("application/json")) return own.trim() === recorded.trim() ? [] : [own];
  // What was wrong with a request is told word by word, so it has to be these words.
  if (recorded.startsWith('{"status_code":422')) return own === recorded ? [] : [`${own}\ninstead of\n${recorded}`];
  const [value, real] = [own, recorded].map((text): unknown => JSON.parse(text.replace(/: NaN\b/g, ": null")));
  return unheardOf(value, real);
}
