import type { ButtonHTMLAttributes, VNode } from "preact";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly text: string;
}

/** A button with words. `class="primary"`: it is what one comes here for; all others are quiet. */
export function Button({ text, ...rest }: ButtonProps): VNode {
  return (
    <button type="button" class="quiet" {...rest}>
      {text}
    </button>
  );
}
