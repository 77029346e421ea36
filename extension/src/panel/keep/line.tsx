import type { HTMLAttributes, VNode } from "preact";
import { Icon, type IconName } from "../../ui/icons.tsx";

interface LineProps extends HTMLAttributes<HTMLParagraphElement> {
  readonly icon?: IconName;
  readonly text: string;
}

/** A line that says how something stands, and what can be done about it. */
export function Line({ icon, text, children, ...rest }: LineProps): VNode {
  return (
    <p {...rest}>
      {icon === undefined ? null : <Icon name={icon} />}
      <span>{text}</span>
      {children}
    </p>
  );
}
