import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Blocks, type Surface } from "./blocks.tsx";
import type { Act } from "../page-server/acts.ts";
import type { ModalView } from "../page-server/view.ts";

/** The app's topmost dialog. What is typed is sent when it is submitted; Escape or Cancel closes it. */
export function Modal(props: {
  modal: ModalView;
  nameOf: (id: string) => string;
  people: Surface["people"];
  send: (what: Act) => Promise<boolean>;
}): JSX.Element {
  const { modal, nameOf, people, send } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), [modal.id]);
  return (
    <dialog
      key={modal.id}
      ref={dialog}
      aria-label={modal.title}
      onCancel={(event) => {
        event.preventDefault();
        void send({ kind: "dismiss", viewId: modal.id });
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const values: Record<string, string> = {};
          for (const [name, value] of new FormData(event.currentTarget)) {
            if (typeof value === "string") values[name] = value;
          }
          void send({ kind: "submit", viewId: modal.id, values });
        }}
      >
        <h2>{modal.title}</h2>
        <Blocks
          blocks={modal.blocks}
          surface={{
            nameOf,
            people,
            press: (actionId, value) => void send({ kind: "press", viewId: modal.id, actionId, value }),
          }}
        />
        <div class="modal-row">
          <button type="button" onClick={() => void send({ kind: "dismiss", viewId: modal.id })}>
            {modal.close}
          </button>
          {modal.submit !== "" && (
            <button type="submit" class="primary">
              {modal.submit}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}
