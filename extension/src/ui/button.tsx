import type { ButtonHTMLAttributes, VNode } from "preact";
import { Icon, type IconName } from "./icons.tsx";

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

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  /** What it does. */
  readonly label: string;
}

/** A button that is only a picture. */
export function IconButton({ icon, label, ...rest }: IconButtonProps): VNode {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
