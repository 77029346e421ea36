/**
 * The names of the platform that the client's types speak of, for whoever compiles against them with neither the page's
 * types nor Node's. Where those are there, an interface without members adds nothing to them.
 */
declare global {
  interface AbortSignal {}
  interface Blob {}
  interface FormData {}
  interface Headers {}
  interface Request {}
  interface Response {}
  /** Named by the declarations of zod. */
  interface URL {}
  interface ErrorOptions {
    cause?: unknown;
  }
}

/** Something like the global `fetch`, called with nothing but a Request. */
export type Fetch = (input: Request) => Promise<Response>;
