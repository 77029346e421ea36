import { useSignal } from "@preact/signals";
import type { ComponentType, VNode } from "preact";
import { useRef } from "preact/hooks";
import { Popover } from "./popover.tsx";

/** What is shown in a menu can close it. */
export interface InMenu {
  readonly onClose: () => void;
}

/**
 * A menu over the panel, what is in it loaded with the first look into it.
 * @param label what it is, for who does not see it
 * @param load always the same function for the same menu
 */
export function useMenu<Props extends object>(label: string, load: () => Promise<ComponentType<Props & InMenu>>) {
  const loaded = useSignal<{ readonly Inside: ComponentType<Props & InMenu> } | undefined>(undefined);
  const isOpen = useSignal(false);
  const place = useRef<HTMLSpanElement>(null);
  const close = () => void (isOpen.value = false);
  const toggle = async (): Promise<void> => {
    if (isOpen.value) return close();
    loaded.value ??= { Inside: await load() };
    isOpen.value = true;
  };
  return {
    /** For what stands around the menu and its button. */
    place,
    /** For the button. */
    button: { "aria-haspopup": "dialog", "aria-expanded": isOpen.value, onClick: () => void toggle() } as const,
    /** The menu itself, where it is open. */
    menu(props: Props): VNode | null {
      if (!isOpen.value || loaded.value === undefined) return null;
      const { Inside } = loaded.value;
      return (
        <Popover anchor={place} label={label} onClose={close}>
          <Inside {...props} onClose={close} />
        </Popover>
      );
    },
  };
}
