import type { Placement } from "@threadlore/client/models";

/** What kind of work a step is. `read`: opening web pages; `research`: a nested agent with a task of its own. */
export type StepKind =
  | "search"
  | "read"
  | "tool"
  | "reasoning"
  | "plan"
  | "research"
  | "code"
  | "image"
  | "file"
  | "memory";

/** One thing done on the way to an answer. */
export interface Step {
  readonly kind: StepKind;
  /** `failed`: this step failed and the run went on; `stopped`: the answer ended before the step did. */
  readonly state: "running" | "done" | "failed" | "stopped";
  /** What it is about: a tool's name, a research task, a file's name, `web` for a search of the web. May be empty. */
  readonly name: string;
  /** What was searched for, or the addresses that were read. The newest list the server sent. */
  readonly queries: readonly string[];
  /** Reasoning, plan, report or output, as far as it has come. Markdown for plans and reports. */
  readonly text: string;
  /** Documents it brought up; look them up in `Answer.sources`. */
  readonly documentIds: readonly string[];
  /** Where in the run it belongs: turn and tab, then the sub-turn of a nested agent. Equal for parts of one step. */
  readonly place: string;
  /** Place of the research step it is part of; absent for steps of the run itself. */
  readonly inside?: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Change = Partial<Pick<Step, "state" | "name" | "queries" | "text" | "documentIds">>;

interface StepPacket {
  kind: StepKind;
  /** Begins a step of its own even where one of this kind is running at the same place. */
  begins?: true;
  change(step: Step, fields: Fields): Change;
}

const nothing = (): Change => ({});
const moreText =
  (field: string) =>
  (step: Step, fields: Fields): Change => ({ text: step.text + string(fields[field]) });
const documents =
  (field: string) =>
  (_step: Step, fields: Fields): Change => ({ documentIds: documentIdsOf(fields[field]) });
const output = (step: Step, fields: Fields): Change => ({
  text: [step.text, string(fields["stdout"]), string(fields["stderr"])].filter((part) => part !== "").join("\n"),
});

/** Each packet type that tells of a step, and what it changes there (facts: wire section 1.4). */
const STEP_PACKETS: ReadonlyMap<string, StepPacket> = new Map(
  Object.entries<StepPacket>({
    reasoning_start: { kind: "reasoning", begins: true, change: nothing },
    reasoning_delta: { kind: "reasoning", change: moreText("reasoning") },
    reasoning_done: { kind: "reasoning", change: () => ({ state: "done" }) },
    search_tool_start: {
      kind: "search",
      begins: true,
      change: (_step, fields) => ({ name: fields["is_internet_search"] === true ? "web" : "" }),
    },
    search_tool_filter_delta: { kind: "search", change: nothing },
    search_tool_queries_delta: { kind: "search", change: (_step, fields) => ({ queries: strings(fields["queries"]) }) },
    search_tool_documents_delta: { kind: "search", change: documents("documents") },
    open_url_start: { kind: "read", begins: true, change: nothing },
    open_url_urls: { kind: "read", change: (_step, fields) => ({ queries: strings(fields["urls"]) }) },
    open_url_documents: { kind: "read", change: documents("documents") },
    image_generation_start: { kind: "image", begins: true, change: nothing },
    image_generation_heartbeat: { kind: "image", change: nothing },
    image_generation_final: { kind: "image", change: nothing },
    python_tool_start: { kind: "code", begins: true, change: (_step, fields) => ({ text: string(fields["code"]) }) },
    python_tool_delta: { kind: "code", change: output },
    bash_tool_start: { kind: "code", begins: true, change: (_step, fields) => ({ text: string(fields["cmd"]) }) },
    bash_tool_delta: { kind: "code", change: output },
    coding_agent_start: { kind: "code", begins: true, change: (_step, fields) => ({ name: string(fields["query"]) }) },
    coding_agent_thinking_delta: { kind: "code", change: moreText("content") },
    coding_agent_final: { kind: "code", change: (_step, fields) => ({ text: string(fields["answer"]) }) },
    custom_tool_start: {
      kind: "tool",
      begins: true,
      change: (_step, fields) => ({ name: string(fields["tool_name"]) }),
    },
    custom_tool_args: { kind: "tool", change: nothing },
    custom_tool_delta: {
      kind: "tool",
      change: (_step, fields) => (fields["error"] === null || fields["error"] === undefined ? {} : { state: "failed" }),
    },
    file_reader_start: { kind: "file", begins: true, change: nothing },
    file_reader_result: { kind: "file", change: (_step, fields) => ({ name: string(fields["file_name"]) }) },
    memory_tool_start: { kind: "memory", begins: true, change: nothing },
    memory_tool_delta: { kind: "memory", change: (_step, fields) => ({ text: string(fields["memory_text"]) }) },
    memory_tool_no_access: { kind: "memory", change: () => ({ state: "failed" }) },
    deep_research_plan_start: { kind: "plan", begins: true, change: nothing },
    deep_research_plan_delta: { kind: "plan", change: moreText("content") },
    research_agent_start: {
      kind: "research",
      begins: true,
      change: (_step, fields) => ({ name: string(fields["research_task"]) }),
    },
    intermediate_report_start: { kind: "research", change: nothing },
    intermediate_report_delta: { kind: "research", change: moreText("content") },
    intermediate_report_cited_docs: { kind: "research", change: documents("cited_docs") },
  }),
);

/** True when a packet of this type tells of a step. */
export function isStepPacket(type: string): boolean {
  return STEP_PACKETS.has(type);
}

/** The steps after a packet that tells of one. */
export function withStepPacket(
  steps: readonly Step[],
  placement: Placement,
  type: string,
  fields: Fields,
): readonly Step[] {
  const packet = STEP_PACKETS.get(type);
  if (packet === undefined) return steps;
  const place = placeOf(placement);
  const running = steps.findLastIndex((step) => step.place === place && step.kind === packet.kind && isRunning(step));
  if (running >= 0 && packet.begins !== true) return changed(steps, running, (step) => packet.change(step, fields));
  const begun = newStep(packet.kind, place, placement);
  return [...steps, { ...begun, ...packet.change(begun, fields) }];
}

/** The steps after text of a nested agent: part of the research step it belongs to, never of the answer. */
export function withNestedText(steps: readonly Step[], placement: Placement, delta: string): readonly Step[] {
  const place = outerPlace(placement);
  const index = steps.findLastIndex((step) => step.place === place && step.kind === "research");
  return index < 0 ? steps : changed(steps, index, (step) => ({ text: step.text + delta }));
}

/** The steps after what is at this place ended, well or not. */
export function withEnded(steps: readonly Step[], placement: Placement, state: "done" | "failed"): readonly Step[] {
  const place = placeOf(placement);
  return settle(steps, state, (step) => step.place === place);
}

/** The steps with those still running, and chosen by `which`, in their last state. */
export function settle(
  steps: readonly Step[],
  state: "done" | "failed" | "stopped",
  which: (step: Step) => boolean = () => true,
): readonly Step[] {
  if (!steps.some((step) => isRunning(step) && which(step))) return steps;
  return steps.map((step) => (isRunning(step) && which(step) ? { ...step, state } : step));
}

function newStep(kind: StepKind, place: string, placement: Placement): Step {
  const nested = typeof placement.sub_turn_index === "number";
  return {
    kind,
    state: "running",
    name: "",
    queries: [],
    text: "",
    documentIds: [],
    place,
    ...(nested ? { inside: outerPlace(placement) } : {}),
  };
}

function changed(steps: readonly Step[], index: number, change: (step: Step) => Change): readonly Step[] {
  return steps.map((step, at) => (at === index ? { ...step, ...change(step) } : step));
}

const isRunning = (step: Step): boolean => step.state === "running";
const outerPlace = (placement: Placement): string => `${placement.turn_index}.${placement.tab_index}`;

function placeOf(placement: Placement): string {
  const outer = outerPlace(placement);
  return typeof placement.sub_turn_index === "number" ? `${outer}.${placement.sub_turn_index}` : outer;
}

const string = (value: unknown): string => (typeof value === "string" ? value : "");
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];

function documentIdsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const ids = value.map((entry: unknown) =>
    typeof entry === "object" && entry !== null && "document_id" in entry ? entry.document_id : undefined,
  );
  return [...new Set(strings(ids))];
}
