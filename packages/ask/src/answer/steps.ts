import type { Placement } from "@threadlore/client/models";
import { type Fields, isObject, string, strings } from "./fields.ts";

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

type Change = Partial<Pick<Step, "state" | "name" | "queries" | "text" | "documentIds">>;

interface StepPacket {
  readonly kind: StepKind;
  /** Begins a step of its own even where one of this kind is running at the same place. */
  readonly begins: boolean;
  readonly change: (step: Step, fields: Fields) => Change;
}

type ChangeOf = StepPacket["change"];

const nothing: ChangeOf = () => ({});
const done: ChangeOf = () => ({ state: "done" });
const failed: ChangeOf = () => ({ state: "failed" });
const failedOnError: ChangeOf = (_step, { error }) =>
  error === null || error === undefined ? {} : { state: "failed" };
const web: ChangeOf = (_step, fields) => ({ name: fields["is_internet_search"] === true ? "web" : "" });
const output: ChangeOf = (step, { stdout, stderr }) => ({
  text: [step.text, string(stdout), string(stderr)].filter((part) => part !== "").join("\n"),
});
const name =
  (field: string): ChangeOf =>
  (_step, fields) => ({ name: string(fields[field]) });
const queries =
  (field: string): ChangeOf =>
  (_step, fields) => ({ queries: strings(fields[field]) });
const text =
  (field: string): ChangeOf =>
  (_step, fields) => ({ text: string(fields[field]) });
const moreText =
  (field: string): ChangeOf =>
  (step, fields) => ({ text: step.text + string(fields[field]) });
const documents =
  (field: string): ChangeOf =>
  (_step, fields) => ({ documentIds: documentIdsOf(fields[field]) });

const begins = (kind: StepKind, change = nothing): StepPacket => ({ kind, begins: true, change });
const goesOn = (kind: StepKind, change = nothing): StepPacket => ({ kind, begins: false, change });

/** Each packet type that tells of a step, and what it changes there (docs/wire.md, section 1.4). */
const STEP_PACKETS: ReadonlyMap<string, StepPacket> = new Map(
  Object.entries({
    reasoning_start: begins("reasoning"),
    reasoning_delta: goesOn("reasoning", moreText("reasoning")),
    reasoning_done: goesOn("reasoning", done),
    search_tool_start: begins("search", web),
    search_tool_filter_delta: goesOn("search"),
    search_tool_queries_delta: goesOn("search", queries("queries")),
    search_tool_documents_delta: goesOn("search", documents("documents")),
    open_url_start: begins("read"),
    open_url_urls: goesOn("read", queries("urls")),
    open_url_documents: goesOn("read", documents("documents")),
    image_generation_start: begins("image"),
    image_generation_heartbeat: goesOn("image"),
    image_generation_final: goesOn("image"),
    python_tool_start: begins("code", text("code")),
    python_tool_delta: goesOn("code", output),
    bash_tool_start: begins("code", text("cmd")),
    bash_tool_delta: goesOn("code", output),
    coding_agent_start: begins("code", name("query")),
    coding_agent_thinking_delta: goesOn("code", moreText("content")),
    coding_agent_final: goesOn("code", text("answer")),
    custom_tool_start: begins("tool", name("tool_name")),
    custom_tool_args: goesOn("tool"),
    custom_tool_delta: goesOn("tool", failedOnError),
    file_reader_start: begins("file"),
    file_reader_result: goesOn("file", name("file_name")),
    memory_tool_start: begins("memory"),
    memory_tool_delta: goesOn("memory", text("memory_text")),
    memory_tool_no_access: goesOn("memory", failed),
    deep_research_plan_start: begins("plan"),
    deep_research_plan_delta: goesOn("plan", moreText("content")),
    research_agent_start: begins("research", name("research_task")),
    intermediate_report_start: goesOn("research"),
    intermediate_report_delta: goesOn("research", moreText("content")),
    intermediate_report_cited_docs: goesOn("research", documents("cited_docs")),
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
  if (running >= 0 && !packet.begins) return changed(steps, running, (step) => packet.change(step, fields));
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
  const step: Step = { kind, state: "running", name: "", queries: [], text: "", documentIds: [], place };
  return typeof placement.sub_turn_index === "number" ? { ...step, inside: outerPlace(placement) } : step;
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

function documentIdsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const ids = value.map((entry: unknown) => (isObject(entry) ? entry["document_id"] : undefined));
  return [...new Set(strings(ids))];
}
