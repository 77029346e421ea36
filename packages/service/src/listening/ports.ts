import { networkInterfaces } from "node:os";
import { inUrl, isEveryAddress, isLoopbackAddress } from "./addresses/address.ts";
import { ListeningError } from "./plan.ts";

/** The port is taken by another program. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
  readonly port: number;

  /** @param address where it is taken, where that is not loopback */
  constructor(port: number, cause: unknown, address?: string) {
    const where = address === undefined ? "on this machine" : `of ${address}`;
    super(`Port ${port} ${where} is taken by another program. Stop it, or choose another port.`, { cause });
    this.port = port;
  }
}

/** Ports below are for the system's own programs, on most systems. */
const FIRST_FREE_PORT = 1_024;

/** Why an address could not be listened on, in plain words where there are any. */
export function bindingError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const isOwn = isLoopbackAddress(host);
  const at = `${inUrl(host)}:${port}`;
  if (error.code === "EADDRINUSE") return new PortTakenError(port, error, isOwn ? undefined : host);
  if (error.code === "EACCES") {
    if (port >= FIRST_FREE_PORT || port === 0) return new PortTakenError(port, error, isOwn ? undefined : host);
    return new ListeningError(
      [
        `Port ${port} is for the system's own programs, and this one may not take it. Choose one from ${FIRST_FREE_PORT} on, put a proxy before it, or give the right (with systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE).`,
      ],
      error,
    );
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT" || error.code === "EINVAL") {
    return new ListeningError(
      [`${at} cannot be listened on: ${host} is no address of this machine. It has ${ownAddresses().join(", ")}.`],
      error,
    );
  }
  return error;
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((several) => several ?? []);
  const found = all.map(({ address }) => address).filter((address) => !isLoopbackAddress(address));
  return found.length === 0 ? ["none but loopback's"] : found.filter((address) => !isEveryAddress(address));
}
