import { type Answer, isFinal, linksOf, type Links, type Source, type Step } from "@threadlore/ask";
import { createTerminalWriter } from "@threadlore/ask/terminal";
import { cut, note, oneLine, styled, type Screen, type Terminal } from "../terminal/output.ts";

/** Shows an answer while it grows: text and sources on stdout, steps on stderr. */
export type AnswerView = ReturnType<typeof createAnswerView>;

/** How long a silence after a broken connection is before it is explained, milliseconds. */
const EXPLAINED_MS = 2_000;

/**
 * A view of one answer. Where the screen shows styles, the paragraph being written is painted as it grows; elsewhere
 * whole blocks are added, and no control byte is written. Steps are shown to people, not to files and pipes.
 * @param question what was asked, which need not be read again as the words of a search
 */
export function createAnswerView(terminal: Terminal, question: string) {
  const { out, err } = terminal;
  const writer = createTerminalWriter({
    write: (text) => out.write(text),
    color: out.colours,
    repaint: out.colours,
    width: out.isTerminal ? out.columns : 0,
    height: out.rows,
  });
  const steps = createStepView(err, question);
  let ended = false;
  let stepsAbove = false;
  let blocksShown = false;
  let explained: NodeJS.Timeout | undefined;
  return {
    /** The connection broke off: says so where the rest is waited for longer than a moment. */
    waits: (): void => {
      // A line between the lines being painted would be painted over.
      if (ended || (out.colours && blocksShown)) return;
      explained = setTimeout(() => note(terminal, "The connection broke off. Waiting for the rest."), EXPLAINED_MS);
      explained.unref();
    },
    show: (answer: Answer): void => {
      clearTimeout(explained);
      if (ended) return;
      blocksShown = answer.blocks.length > 0;
      ended = isFinal(answer.status);
      if (stepsAbove && answer.blocks.length > 0) {
        if (out.isTerminal) err.write("\n");
        stepsAbove = false;
      }
      writer.update(answer);
      // A line between the lines being painted would be painted over.
      if (err.isTerminal && answer.blocks.length === 0) stepsAbove = steps.show(answer.steps) || stepsAbove;
      if (ended) out.write(sourceList(out, answer));
    },
  };
}

const STEP_VERBS: Record<Step["kind"], string> = {
  search: "Searching",
  read: "Reading",
  tool: "Using",
  reasoning: "Thinking",
  plan: "Planning",
  research: "Looking into",
  code: "Running code",
  image: "Drawing",
  file: "Reading",
  memory: "Remembering",
};

function createStepView(screen: Screen, question: string) {
  const shown = new Set<string>();
  return {
    /** Answers whether anything was new. */
    show: (steps: readonly Step[]): boolean => {
      const before = shown.size;
      steps.forEach((step, index) => {
        const queries = step.queries.filter((query) => query !== question);
        const about = oneLine([step.name, ...queries].filter((part) => part !== "").join(", "));
        // A search that does not yet say for what is shown when it does, or when it is over.
        const unsaid = step.queries.length === 0 && about === "" && step.kind !== "reasoning";
        if (unsaid && step.state === "running") return;
        const line = `${STEP_VERBS[step.kind]}${about === "" ? "" : `: ${about}`}${step.state === "failed" ? " (failed)" : ""}`;
        const key = `${index} ${line}`;
        if (shown.has(key)) return;
        shown.add(key);
        screen.write(`${styled(screen, "dim", cut(line, screen.columns - 1))}\n`);
      });
      return shown.size > before;
    },
  };
}

/** The cited documents by number, each with its date and, where it may be opened, its address. */
function sourceList(screen: Screen, answer: Answer): string {
  const links = linksOf(answer);
  const cited = answer.citations.map(({ number, source }) => sourceLines(screen, `[${number}]`, source, links));
  if (cited.length === 0) return "";
  return `\n${styled(screen, "bold", "Sources")}\n${cited.join("")}`;
}

/** When it was changed; of an answer that somebody had kept, where from and whose it is as well. */
function dateOf({ updatedAt, isKeptAnswer, channel, author }: Source): string {
  const date = updatedAt?.slice(0, 10) ?? "";
  const from = channel === undefined ? "" : ` from #${channel.replace(/^#/, "")}`;
  const by = author === undefined ? "" : ` by ${author}`;
  const told = isKeptAnswer === true ? [`kept${from}${by}`, date].filter((part) => part !== "").join(", ") : date;
  return told === "" ? "" : `  ${oneLine(told)}`;
}

function sourceLines(screen: Screen, label: string, source: Source, links: Links): string {
  const date = dateOf(source);
  const link = source.link === undefined ? undefined : links.href(source.link);
  const title = `${styled(screen, "cyan", label)} ${oneLine(source.title)}${styled(screen, "dim", date)}\n`;
  return link === undefined
    ? title
    : `${title}${" ".repeat(label.length + 1)}${styled(screen, "dim", oneLine(link))}\n`;
}
