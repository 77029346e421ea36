import { Socket } from "node:net";

/** So long a server is given to let go, milliseconds. */
const CLOSE_WAIT_MS = 2_000;

/** Waits for an end, and brings it about where it does not come in time: over a dead network it never would. */
export async function endingSoon(ended: Promise<void>, end: () => void): Promise<void> {
  const late = setTimeout(end, CLOSE_WAIT_MS);
  await ended.catch(() => undefined);
  clearTimeout(late);
}

/** A socket that is known until it is closed. */
export function socketAmong(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once("close", () => void sockets.delete(socket));
}
