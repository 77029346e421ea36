import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Fields } from "../fields.ts";
import { fieldsOf, listOf, textOf } from "./json.ts";
import { decoded } from "./mrkdwn.tsx";

const wordsOf = (text: unknown): string => decoded(textOf(fieldsOf(text)["text"]));

/** A button that shows a sign, and says what it does to who points at it or hears it. */
export function Sign({ label, sign, press }: { label: string; sign: string; press: () => void }): JSX.Element {
  return (
    <button type="button" title={label} aria-label={label} onClick={press}>
      {sign}
    </button>
  );
}

/** What is rarely needed, behind three dots. */
export function Menu({ element, press }: { element: Fields; press: (value: string) => void }): JSX.Element {
  return (
    <details class="overflow">
      <summary aria-label="More actions">⋯</summary>
      <div class="menu">
        {listOf(element["options"]).map((option) => (
          <button
            key={textOf(option["value"])}
            type="button"
            onClick={(event) => {
              event.currentTarget.closest("details")?.removeAttribute("open");
              press(textOf(option["value"]));
            }}
          >
            {wordsOf(option["text"])}
          </button>
        ))}
      </div>
    </details>
  );
}

const HAND = "M2 10h4v11H2zM8 20V10l4-8c2 0 3 1 3 3l-1 4h6c1 0 2 1 2 2l-2 8c0 1-1 2-2 2h-8z";

/** Signs that not every machine has in its fonts. */
const THUMBS: Readonly<Record<string, JSX.Element>> = {
  "👍": thumb(""),
  "👎": thumb(" down"),
};

function thumb(way: string): JSX.Element {
  return (
    <svg class={`sign${way}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={HAND} />
    </svg>
  );
}

/** A button; where it wants that, pressing it is confirmed first. */
export function Button({ element, press }: { element: Fields; press: () => void }): JSX.Element {
  const label = wordsOf(element["text"]);
  const url = textOf(element["url"]);
  if (/^https?:\/\//.test(url)) {
    return (
      <a class="button" href={url} target="_blank" rel="noopener noreferrer" onClick={press}>
        {label}
      </a>
    );
  }
  const name = textOf(element["accessibility_label"]) || label;
  const question = element["confirm"] === undefined ? undefined : fieldsOf(element["confirm"]);
  const [isAsked, ask] = useState(false);
  const pressed = question === undefined ? press : () => ask(true);
  return (
    <>
      <button type="button" class={textOf(element["style"])} aria-label={name} title={name} onClick={pressed}>
        {THUMBS[label] ?? label}
      </button>
      {isAsked && question !== undefined && (
        <Confirmation
          question={question}
          answered={(isSure) => {
            ask(false);
            if (isSure) press();
          }}
        />
      )}
    </>
  );
}

/** What is asked before a press counts. Escape says no. */
function Confirmation(props: { question: Fields; answered: (isSure: boolean) => void }): JSX.Element {
  const { question, answered } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const title = wordsOf(question["title"]) || "Are you sure?";
  return (
    <dialog ref={dialog} aria-label={title} onCancel={() => answered(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answered(true);
        }}
      >
        <h2>{title}</h2>
        <p>{wordsOf(question["text"])}</p>
        <div class="modal-row">
          <button type="button" onClick={() => answered(false)}>
            {wordsOf(question["deny"]) || "Cancel"}
          </button>
          <button type="submit" class="primary">
            {wordsOf(question["confirm"]) || "Yes"}
          </button>
        </div>
      </form>
    </dialog>
  );
}
