import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Blocks, Plan, type Surface, TaskRow } from "./blocks.tsx";
import { signOf } from "./emoji.ts";
import { Previews } from "./lookups.tsx";
import { Markdown } from "./markdown.tsx";
import { Mrkdwn, type NameOf } from "./mrkdwn.tsx";
import type { Act } from "../page-server/acts.ts";
import type { MessageView, View } from "../page-server/view.ts";

/** What a message can be asked to do. */
export interface MessageActs {
  readonly does: (what: Act) => void;
  readonly openThread?: (ts: string) => void;
  readonly shortcuts: View["messageShortcuts"];
  readonly nameOf: NameOf;
  readonly people: Surface["people"];
}

/** One message with everything on it. */
export function Message({ message, acts }: { message: MessageView; acts: MessageActs }): JSX.Element {
  const [editing, setEditing] = useState(false);
  const { channel, ts } = message;
  const surface: Surface = {
    nameOf: acts.nameOf,
    people: acts.people,
    press: (actionId, value) => acts.does({ kind: "press", channel, ts, actionId, value }),
  };
  return (
    <article
      class={`message${message.ephemeral ? " ephemeral" : ""}${message.pinned ? " pinned" : ""}`}
      aria-label={`${message.author.name}, ${timeOf(ts)}`}
      data-ts={ts}
    >
      <Portrait name={message.author.name} app={message.author.kind === "bot"} />
      <div class="message-body">
        <header>
          <strong>{message.author.name}</strong>
          {message.author.kind === "bot" && <span class="tag">app</span>}
          <time dateTime={new Date(Number(ts) * 1000).toISOString()}>{timeOf(ts)}</time>
          {message.edited && <span class="quiet">edited</span>}
          {message.pinned && <span class="quiet">⚑ pinned</span>}
          {message.ephemeral && <span class="quiet">Only visible to you</span>}
        </header>
        {editing ? (
          <EditBox
            text={message.text}
            done={(text) => {
              setEditing(false);
              if (text !== undefined) acts.does({ kind: "edit", channel, ts, text });
            }}
          />
        ) : (
          <Body message={message} surface={surface} />
        )}
        <Previews previews={message.previews} />
        {message.files.map((file) => (
          <a key={file.id} class="file" href={`/page/file/${file.id}`} download={file.name}>
            Attached: {file.name}
          </a>
        ))}
        <footer>
          {message.reactions.map(({ name, count, mine }) => (
            <button
              key={name}
              type="button"
              class={`reaction${mine ? " mine" : ""}`}
              aria-label={`${name}, ${count}`}
              onClick={() => acts.does({ kind: "react", channel, ts, name, on: !mine })}
            >
              {signOf(name)} {count}
            </button>
          ))}
          {message.replies > 0 && acts.openThread !== undefined && (
            <button type="button" class="replies" onClick={() => acts.openThread?.(ts)}>
              {message.replies} {message.replies === 1 ? "reply" : "replies"}
            </button>
          )}
        </footer>
      </div>
      {!message.ephemeral && <Toolbar message={message} acts={acts} edit={() => setEditing(true)} />}
    </article>
  );
}

function Body({ message, surface }: { message: MessageView; surface: Surface }): JSX.Element {
  const { stream, blocks, text } = message;
  // Blocks that were streamed stand where they came, all others below.
  const drawn = (stream?.order ?? []).reduce<number>((sum, part) => sum + (typeof part === "number" ? part : 0), 0);
  return (
    <div class="content" aria-live={stream?.state === "in_progress" ? "polite" : undefined}>
      {stream !== undefined &&
        stream.tasks.length > 0 &&
        (stream.plan === undefined ? (
          <div class="tasks">
            {stream.tasks.map((task, index) => (
              <TaskRow key={index} task={task} />
            ))}
          </div>
        ) : (
          <Plan title={stream.plan} tasks={stream.tasks} />
        ))}
      {stream !== undefined && <Streamed order={stream.order} blocks={blocks} surface={surface} />}
      {stream === undefined && blocks.length === 0 && text !== "" && (
        <div class="text">
          <Mrkdwn text={text} nameOf={surface.nameOf} />
        </div>
      )}
      {stream?.state === "in_progress" && (
        <span class="cursor" role="status" aria-label="The answer is being written" />
      )}
      <Blocks blocks={blocks.slice(drawn)} surface={surface} />
    </div>
  );
}

/** Words and blocks of a streamed message, in the order they came. */
function Streamed(props: {
  order: NonNullable<MessageView["stream"]>["order"];
  blocks: MessageView["blocks"];
  surface: Surface;
}): JSX.Element {
  let from = 0;
  return (
    <>
      {props.order.map((part, index) => {
        if (typeof part === "string") {
          return (
            <div class="text" key={index}>
              <Markdown text={part} />
            </div>
          );
        }
        const here = props.blocks.slice(from, (from += part));
        return <Blocks key={index} blocks={here} surface={props.surface} />;
      })}
    </>
  );
}

function Toolbar(props: { message: MessageView; acts: MessageActs; edit: () => void }): JSX.Element {
  const { channel, ts, pinned, mine } = props.message;
  const { does, openThread, shortcuts } = props.acts;
  return (
    <div class="toolbar" role="toolbar" aria-label="Message">
      {openThread !== undefined && (
        <button type="button" onClick={() => openThread(ts)}>
          Reply
        </button>
      )}
      <button type="button" onClick={() => does({ kind: pinned ? "unpin" : "pin", channel, ts })}>
        {pinned ? "Unpin" : "Pin"}
      </button>
      {mine && (
        <>
          <button type="button" onClick={props.edit}>
            Edit
          </button>
          <button type="button" onClick={() => does({ kind: "delete", channel, ts })}>
            Delete
          </button>
        </>
      )}
      {shortcuts.length > 0 && (
        <details>
          <summary>More</summary>
          <div class="menu">
            {shortcuts.map(({ name, callbackId }) => (
              <button
                key={callbackId}
                type="button"
                onClick={(event) => {
                  event.currentTarget.closest("details")?.removeAttribute("open");
                  does({ kind: "shortcut", callbackId, channel, ts });
                }}
              >
                {name}
              </button>
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

function EditBox({ text, done }: { text: string; done: (text?: string) => void }): JSX.Element {
  const [draft, setDraft] = useState(text);
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        done(draft);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") done();
      }}
    >
      <textarea
        aria-label="Edit the message"
        value={draft}
        ref={(box) => box?.focus()}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <button type="submit">Save</button>
      <button type="button" onClick={() => done()}>
        Cancel
      </button>
    </form>
  );
}

/** A coloured square with the first letter. */
function Portrait({ name, app }: { name: string; app: boolean }): JSX.Element {
  let hue = 0;
  for (const letter of name) hue = (hue * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return (
    <span class={`portrait${app ? " app" : ""}`} style={{ "--hue": String(hue) }} aria-hidden="true">
      {name.slice(0, 1).toUpperCase()}
    </span>
  );
}

function timeOf(ts: string): string {
  return new Date(Number(ts) * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
