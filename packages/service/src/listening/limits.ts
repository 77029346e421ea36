/** How long a connection may take, and how many there may be. */
export interface SocketLimits {
  /** Until the request's headers are complete, milliseconds; of TLS until both sides are agreed too. Default 10,000. */
  readonly headersMs: number;
  /**
   * Until the whole request has arrived, milliseconds. Answers may take as long as they need. Default 30,000; where others
   * than this machine ask 600,000, since lines differ and `leastRate` ends what does not come along.
   */
  readonly requestMs: number;
  /**
   * Connections at one time. One that is not used makes room for another; where all are, a reply says so. Default 512; where
   * others than this machine ask 2,048.
   */
  readonly connections: number;
  /** Connections of one address at one time, but of this machine's own and of trusted proxies. Default 256. */
  readonly connectionsEach: number;
  /** Requests a second of one address without a right key, but of this machine's own; twice as many at once. Default 20. */
  readonly keylessEach: number;
  /** Requests a second of one user's keys, but of this machine's own; twice as many at once. Default 200. */
  readonly keyedEach: number;
  /** Bytes a second that a body brings and a reply takes at least, but on loopback. Default 1,000. */
  readonly leastRate: number;
  /** Over how long that is counted, milliseconds; of a reply three times as long. Default 20,000. */
  readonly stretchMs: number;
}

const USUAL_LIMITS: SocketLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  connections: 512,
  connectionsEach: 256,
  keylessEach: 20,
  keyedEach: 200,
  leastRate: 1_000,
  stretchMs: 20_000,
};

/** The limits that hold where none is given. */
export function usualLimits(isReachable: boolean): SocketLimits {
  return isReachable ? { ...USUAL_LIMITS, requestMs: 600_000, connections: 2_048 } : USUAL_LIMITS;
}

/** Most bytes of all of a request's headers together; beyond, 431. */
export const MAX_HEADER_BYTES = 16_384;
