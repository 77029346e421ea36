import { slot } from "../storage/slots.ts";

/** The service has refused the key: nothing is sent until there is another one. */
export interface Pause {
  /** Origin of the service. */
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The pause that holds now, if one does; it ends with another key, or another service. */
export const PAUSE = slot<Pause>("local", "pause");

/** Pauses sending. One that holds already stays as it is, so that a person is asked once. */
export async function pause(origin: string, now: number): Promise<void> {
  if ((await PAUSE.read()) === undefined) await PAUSE.write({ origin, since: now });
}
