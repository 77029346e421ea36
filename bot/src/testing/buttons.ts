import type { Message } from "@threadlore/chat-workspace";

interface Pressed {
  readonly action_id?: string;
  readonly value?: string;
}

/** The value of a button of a message; undefined: it has none. */
export function buttonOf(message: Message | undefined, action: string): string | undefined {
  const rows = (message?.blocks ?? []) as unknown as { elements?: Pressed[]; accessory?: Pressed }[];
  const buttons = rows.flatMap(({ elements = [], accessory }) => (accessory ? [...elements, accessory] : elements));
  return buttons.find(({ action_id: id }) => id === action)?.value;
}
