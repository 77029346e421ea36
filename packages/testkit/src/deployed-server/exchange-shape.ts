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

/** What a value is made of: at every place, the kinds of values found there. */
function shapeOf(value: unknown, place = "$", shape = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const kinds = shape.get(place) ?? new Set();
  shape.set(place, kinds);
  if (Array.isArray(value)) {
    kinds.add("a list");
    for (const element of value) shapeOf(element, `${place}[]`, shape);
  } else if (typeof value === "object" && value !== null) {
    // What documents and tools say about themselves differs from one to the next.
    if (/\.(metadata|spec|definition)$/.test(place)) {
      kinds.add("an object");
      return shape;
    }
    kinds.add(`{${Object.keys(value).toSorted().join(", ")}}`);
    for (const [name, member] of Object.entries(value)) shapeOf(member, `${place}.${name}`, shape);
  } else {
    const named = telling.has(place.replace(/^.*\./, ""));
    kinds.add(named ? JSON.stringify(value) : value === null ? "null" : typeof value);
  }
  return shape;
}

/** What is in the one and was never in the other. */
function unheardOf(double: Map<string, Set<string>>, recorded: Map<string, Set<string>>): string[] {
  return [...double].flatMap(([place, kinds]) =>
    [...kinds].filter((kind) => recorded.get(place)?.has(kind) !== true).map((kind) => `${place}: ${kind}`),
  );
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
      ...unheardOf(shapeOf(lines), shapeOf(real)),
    ];
  }
  if (!contentType.startsWith("application/json")) return own.trim() === recorded.trim() ? [] : [own];
  // What was wrong with a request is told word by word, so it has to be these words.
  if (recorded.startsWith('{"status_code":422')) return own === recorded ? [] : [`${own}\ninstead of\n${recorded}`];
  const [value, real] = [own, recorded].map((text): unknown => JSON.parse(text.replace(/: NaN\b/g, ": null")));
  return unheardOf(shapeOf(value), shapeOf(real));
}
