import type { ComponentChildren, JSX } from "preact";
import { Button, Menu, Sign } from "./buttons.tsx";
import { signOf } from "./emoji.ts";
import { fieldsOf, listOf, textOf } from "./json.ts";
import type { Fields } from "../fields.ts";
import { Markdown, Table } from "./markdown.tsx";
import { Anchor, decoded, Mrkdwn, type NameOf } from "./mrkdwn.tsx";

/** What blocks need of what is around them. */
export interface Surface {
  readonly nameOf: NameOf;
  /** Who can be chosen. */
  readonly people: readonly { readonly id: string; readonly name: string }[];
  /** Presses an element. */
  readonly press: (actionId: string, value?: string) => void;
}

/** Blocks of a message, the Home or a modal, drawn one under the other. */
export function Blocks({ blocks, surface }: { blocks: readonly Fields[]; surface: Surface }): JSX.Element {
  return (
    <>
      {blocks.map((block, index) => (
        <div key={textOf(block["block_id"]) || index} class={`block block-${textOf(block["type"])}`}>
          {drawBlock(block, surface)}
        </div>
      ))}
    </>
  );
}

type DrawBlock = (block: Fields, surface: Surface) => ComponentChildren;

const blockDrawings: Record<string, DrawBlock> = {
  section: (block, surface) => (
    <>
      <div class="section-text">
        <Words text={block["text"]} nameOf={surface.nameOf} />
        {listOf(block["fields"]).map((field, index) => (
          <div key={index} class="field">
            <Words text={field} nameOf={surface.nameOf} />
          </div>
        ))}
      </div>
      {block["accessory"] !== undefined && <Element element={fieldsOf(block["accessory"])} surface={surface} />}
    </>
  ),
  header: (block, { nameOf }) => (
    <h3>
      <Words text={block["text"]} nameOf={nameOf} />
    </h3>
  ),
  divider: () => <hr />,
  markdown: (block) => <Markdown text={textOf(block["text"])} />,
  context: (block, { nameOf }) =>
    listOf(block["elements"]).map((element, index) => (
      <span key={index} class="context-part">
        <Words text={element} nameOf={nameOf} />
      </span>
    )),
  actions: elements,
  context_actions: elements,
  image: (block) => <span class="image">[{textOf(block["alt_text"])}]</span>,
  rich_text: (block, { nameOf }) => <RichText elements={listOf(block["elements"])} nameOf={nameOf} />,
  table: (block, { nameOf }) => <TableRows rows={block["rows"]} nameOf={nameOf} />,
  data_table: (block, { nameOf }) => <TableRows rows={block["rows"]} nameOf={nameOf} />,
  task_card: (block) => <TaskRow task={block} />,
  plan: (block) => <Plan title={textOf(block["title"])} tasks={listOf(block["tasks"])} />,
  container,
  alert: (block, { nameOf }) => <Words text={block["text"]} nameOf={nameOf} />,
  input: (block, surface) => (
    <label class="input">
      <span>
        <Words text={block["label"]} nameOf={surface.nameOf} />
        {block["optional"] === true && <small> (optional)</small>}
      </span>
      <Element element={fieldsOf(block["element"])} surface={surface} />
      {block["hint"] !== undefined && (
        <small>
          <Words text={block["hint"]} nameOf={surface.nameOf} />
        </small>
      )}
    </label>
  ),
};

/** Blocks under a title; where it may be folded, a press shows and hides them. */
function container(block: Fields, surface: Surface): ComponentChildren {
  const { rich_text_title: rich, title, subtitle } = block;
  const head =
    rich === undefined ? (
      wordsOf(title)
    ) : (
      <RichText elements={listOf(fieldsOf(rich)["elements"])} nameOf={surface.nameOf} />
    );
  const under = subtitle !== undefined && (
    <small>
      <Words text={subtitle} nameOf={surface.nameOf} />
    </small>
  );
  const inner = <Blocks blocks={listOf(block["child_blocks"])} surface={surface} />;
  if (block["is_collapsible"] !== true) {
    return (
      <>
        <strong>{head}</strong> {under}
        {inner}
      </>
    );
  }
  return (
    <details class="folded" open={block["default_collapsed"] !== true}>
      <summary>
        {head} {under}
      </summary>
      {inner}
    </details>
  );
}

function drawBlock(block: Fields, surface: Surface): ComponentChildren {
  const type = textOf(block["type"]);
  return blockDrawings[type]?.(block, surface) ?? <em>[{type}]</em>;
}

function elements(block: Fields, surface: Surface): ComponentChildren {
  return listOf(block["elements"]).map((element, index) => (
    <Element key={textOf(element["action_id"]) || index} element={element} surface={surface} />
  ));
}

/** A text object, of either kind; an image element is named. */
function Words({ text, nameOf }: { text: unknown; nameOf: NameOf }): JSX.Element {
  const { type, text: words, alt_text: alt } = fieldsOf(text);
  if (type === "plain_text") return <>{decoded(textOf(words))}</>;
  if (type === "image") return <>[{textOf(alt)}]</>;
  return <Mrkdwn text={textOf(words)} nameOf={nameOf} />;
}

const wordsOf = (text: unknown): string => decoded(textOf(fieldsOf(text)["text"]));

/** Something to press, choose or type in. What is typed in a modal is read from the form when it is submitted. */
function Element({ element, surface }: { element: Fields; surface: Surface }): JSX.Element {
  const actionId = textOf(element["action_id"]);
  switch (element["type"]) {
    case "button":
      return <Button element={element} press={() => surface.press(actionId, textOf(element["value"]))} />;
    case "feedback_buttons":
      return (
        <span class="thumbs">
          {(["positive_button", "negative_button"] as const).map((side) => {
            const button = fieldsOf(element[side]);
            const words = wordsOf(button["text"]);
            const label = textOf(button["accessibility_label"]) || words;
            const press = (): void => surface.press(actionId, textOf(button["value"]));
            return <Sign key={side} label={label} sign={words} press={press} />;
          })}
        </span>
      );
    case "icon_button": {
      const press = (): void => surface.press(actionId, textOf(element["value"]));
      return <Sign label={wordsOf(element["text"])} sign="✕" press={press} />;
    }
    case "overflow":
      return <Menu element={element} press={(value) => surface.press(actionId, value)} />;
    case "plain_text_input":
      return <TextInput element={element} />;
    case "static_select":
    case "radio_buttons":
      return <Choice element={element} surface={surface} />;
    case "users_select":
      return <PersonChoice element={element} surface={surface} />;
    case "mrkdwn":
    case "plain_text":
      return <Words text={element} nameOf={surface.nameOf} />;
    default:
      return <em>[{textOf(element["type"])}]</em>;
  }
}

function TextInput({ element }: { element: Fields }): JSX.Element {
  const common = {
    name: textOf(element["action_id"]),
    placeholder: wordsOf(element["placeholder"]),
    maxLength: typeof element["max_length"] === "number" ? element["max_length"] : 3000,
  };
  const initial = textOf(element["initial_value"]);
  return element["multiline"] === true ? (
    <textarea {...common} rows={4} defaultValue={initial} />
  ) : (
    <input {...common} type="text" defaultValue={initial} />
  );
}

function Choice({ element, surface }: { element: Fields; surface: Surface }): JSX.Element {
  const initial = textOf(fieldsOf(element["initial_option"])["value"]);
  const options = listOf(element["options"]).map((option) => ({
    value: textOf(option["value"]),
    words: wordsOf(option["text"]),
  }));
  return <Select {...{ element, surface, initial, options }} />;
}

function PersonChoice({ element, surface }: { element: Fields; surface: Surface }): JSX.Element {
  const initial = textOf(element["initial_user"]);
  const options = surface.people.map(({ id, name }) => ({ value: id, words: name }));
  return <Select {...{ element, surface, initial, options }} />;
}

interface SelectProps {
  readonly element: Fields;
  readonly surface: Surface;
  /** Value of what is chosen before anybody chooses; empty: nothing is. */
  readonly initial: string;
  readonly options: readonly { readonly value: string; readonly words: string }[];
}

function Select({ element, surface, initial, options }: SelectProps): JSX.Element {
  const actionId = textOf(element["action_id"]);
  return (
    <select
      name={actionId}
      defaultValue={initial}
      onChange={(event) => {
        // Inside a form the choice travels with the submission.
        if (event.currentTarget.form === null) surface.press(actionId, event.currentTarget.value);
      }}
    >
      {initial === "" && <option value="">{wordsOf(element["placeholder"])}</option>}
      {options.map(({ value, words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

function TableRows({ rows, nameOf }: { rows: unknown; nameOf: NameOf }): JSX.Element {
  const cell = (content: Fields): ComponentChildren =>
    content["type"] === "rich_text" ? (
      <RichText elements={listOf(content["elements"])} nameOf={nameOf} />
    ) : (
      textOf(content["text"] ?? content["value"])
    );
  return (
    <div class="table-frame">
      <Table rows={Array.isArray(rows) ? rows.map((row) => listOf(row).map(cell)) : []} />
    </div>
  );
}

const TASK_SIGNS: Record<string, string> = { pending: "○", in_progress: "◔", complete: "✓", error: "!" };

/** The steps of what the app does, folded into one row that says where it stands. */
export function Plan({ title, tasks }: { title: string; tasks: readonly Fields[] }): JSX.Element {
  const is = (status: string): boolean => tasks.some((task) => task["status"] === status);
  const status = is("in_progress") ? "in_progress" : is("error") ? "error" : "complete";
  const words = title === "" ? textOf(tasks.at(-1)?.["title"]) : title;
  return (
    <details class={`folded plan task-${status}`}>
      <summary>
        {status !== "complete" && (
          <span class="task-sign" aria-label={status}>
            {TASK_SIGNS[status]}
          </span>
        )}
        {decoded(words)}
      </summary>
      {tasks.map((task, index) => (
        <TaskRow key={index} task={task} />
      ))}
    </details>
  );
}

/** One step of what the app does. */
export function TaskRow({ task }: { task: Fields }): JSX.Element {
  const status = textOf(task["status"]);
  const sources = listOf(task["sources"]);
  return (
    <div class={`task task-${status}`}>
      <span class="task-sign" aria-label={status}>
        {TASK_SIGNS[status] ?? "·"}
      </span>
      <span class="task-words">
        {decoded(textOf(task["title"]))}
        {textOf(task["details"]) !== "" && <small> {decoded(textOf(task["details"]))}</small>}
        {textOf(task["output"]) !== "" && <small> {decoded(textOf(task["output"]))}</small>}
        {sources.length > 0 && (
          <small class="task-sources">
            {sources.map((source, index) => (
              <span key={index} class="task-source">
                <Anchor href={textOf(source["url"])}>{decoded(textOf(source["text"]))}</Anchor>
              </span>
            ))}
          </small>
        )}
      </span>
    </div>
  );
}

function RichText({ elements: parts, nameOf }: { elements: readonly Fields[]; nameOf: NameOf }): JSX.Element {
  return <>{parts.map((part, index) => richPart(part, index, nameOf))}</>;
}

function richPart(part: Fields, key: number, nameOf: NameOf): JSX.Element {
  const inner = listOf(part["elements"]);
  const runs = inner.map((run, index) => richRun(run, index, nameOf));
  switch (part["type"]) {
    case "rich_text_list": {
      const entries = inner.map((entry, index) => <li key={index}>{richPart(entry, index, nameOf)}</li>);
      return part["style"] === "ordered" ? <ol key={key}>{entries}</ol> : <ul key={key}>{entries}</ul>;
    }
    case "rich_text_preformatted":
      return (
        <pre key={key}>
          <code>{runs}</code>
        </pre>
      );
    case "rich_text_quote":
      return <blockquote key={key}>{runs}</blockquote>;
    default:
      return <span key={key}>{runs}</span>;
  }
}

function richRun(run: Fields, key: number, nameOf: NameOf): JSX.Element {
  const style = fieldsOf(run["style"]);
  let drawn: ComponentChildren = runWords(run, nameOf);
  if (style["code"] === true) drawn = <code>{drawn}</code>;
  if (style["bold"] === true) drawn = <strong>{drawn}</strong>;
  if (style["italic"] === true) drawn = <em>{drawn}</em>;
  if (style["strike"] === true) drawn = <s>{drawn}</s>;
  return <span key={key}>{drawn}</span>;
}

function runWords(run: Fields, nameOf: NameOf): ComponentChildren {
  switch (run["type"]) {
    case "link":
      return <Anchor href={textOf(run["url"])}>{textOf(run["text"]) || textOf(run["url"])}</Anchor>;
    case "citation":
      return <Anchor href={textOf(run["url"])}>[{textOf(run["index"]) || textOf(run["text"])}]</Anchor>;
    case "user":
      return <span class="mention">@{nameOf(textOf(run["user_id"]))}</span>;
    case "channel":
      return <span class="mention">#{nameOf(textOf(run["channel_id"]))}</span>;
    case "broadcast":
      return <span class="mention loud">@{textOf(run["range"])}</span>;
    case "emoji":
      return <>{signOf(textOf(run["name"]))}</>;
    default:
      return <>{textOf(run["text"])}</>;
  }
}
