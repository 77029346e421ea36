import type { ButtonHTMLAttributes, VNode } from "preact";
import { type GeneratedI18nStructure, i18n } from "#i18n";
import { Icon, type IconName } from "./icons.tsx";

/** Key of a text without gaps to fill. */
type Words = {
  [Key in keyof GeneratedI18nStructure]: GeneratedI18nStructure[Key] extends { substitutions: 0; plural: false }
    ? Key
    : never;
}[keyof GeneratedI18nStructure];

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly says: Words;
}

/** A button with words. `class="primary"`: it is what one comes here for; all others are quiet. */
export function Button({ says, ...rest }: ButtonProps): VNode {
  return (
    <button type="button" class="quiet" {...rest}>
      {i18n.t(says)}
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
