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

/**
 * Whether a key sends what is written in a field of several lines: Enter does, with Shift it begins a line, and the one
 * that ends an input method's word does neither; some browsers tell that by the code only.
 */
export function isSending({ key, shiftKey, isComposing, keyCode }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !isComposing && keyCode !== 229;
}
