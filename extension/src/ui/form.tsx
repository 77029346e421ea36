import type { FormHTMLAttributes, VNode } from "preact";

interface FormProps extends FormHTMLAttributes<HTMLFormElement> {
  readonly onSend: () => void;
}

/** A form that is sent by Enter and by its button, to nobody but `onSend`. */
export function Form({ onSend, ...rest }: FormProps): VNode {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
      {...rest}
    />
  );
}
