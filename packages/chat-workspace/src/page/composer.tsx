import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { fileToSend } from "./connection.ts";
import type { Act } from "../page-server/acts.ts";

/** Where one writes. Enter sends, Shift+Enter starts a line; what could not be sent stays. */
export function Composer(props: {
  channel: string;
  threadTs?: string;
  /** What the box says while it is empty. */
  hint: string;
  appName: string;
  /** Offers to mention the app: not where it is talked to anyway. */
  mention: boolean;
  commands: readonly string[];
  send: (what: Act) => Promise<boolean>;
}): JSX.Element {
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  const box = useRef<HTMLTextAreaElement>(null);
  const mention = `@${props.appName} `;

  const submit = async (): Promise<void> => {
    if (text.trim() === "" && files.length === 0) return;
    const command = props.commands.find((name) => text === name || text.startsWith(`${name} `));
    const { channel, threadTs } = props;
    const what: Act =
      command !== undefined
        ? { kind: "command", channel, command, text: text.slice(command.length).trim() }
        : {
            kind: "say",
            channel,
            text,
            files: await Promise.all(files.map(fileToSend)),
            ...(threadTs && { threadTs }),
          };
    if (!(await props.send(what))) return;
    setText("");
    setFiles([]);
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={box}
        rows={2}
        aria-label={props.hint}
        placeholder={props.hint}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void submit();
        }}
      />
      <div class="composer-row">
        {props.mention && (
          <button
            type="button"
            onClick={() => {
              if (!text.includes(mention.trim())) setText(`${mention}${text}`);
              box.current?.focus();
            }}
          >
            {mention.trim()}
          </button>
        )}
        <Attach choose={setFiles} />
        {files.map((file) => (
          <span key={file.name} class="quiet">
            {file.name}
          </span>
        ))}
        <button type="submit" class="primary">
          Send
        </button>
      </div>
    </form>
  );
}

function Attach({ choose }: { choose: (files: readonly File[]) => void }): JSX.Element {
  return (
    <label class="attach">
      Attach
      <input
        type="file"
        multiple
        onChange={(event) => {
          choose([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}
