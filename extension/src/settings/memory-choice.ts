import { slot } from "../storage/slots.ts";

/** Where the person has agreed to be asked with a memory on: by service, the account, so that another key is asked anew. */
const MEMORY = slot<Readonly<Record<string, string>>>("local", "memory-agreed");

/** Whether the person has agreed that this account of this service writes its memory from what they ask. */
export async function hasAgreedToMemory(origin: string, account: string): Promise<boolean> {
  return (await MEMORY.read())?.[origin] === account;
}

/** Remembers that they have. */
export async function agreeToMemory(origin: string, account: string): Promise<void> {
  await MEMORY.write({ ...(await MEMORY.read()), [origin]: account });
}
