import {
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  UnsupportedError,
  WrongBaseUrlError,
} from "@threadlore/client";

const isOneOf = (error: unknown, kinds: readonly (abstract new (...given: never[]) => unknown)[]): boolean =>
  kinds.some((kind) => error instanceof kind);

/** Whether it says that the server does not do such a thing, or not for this key: now and later. */
export const isNotOffered = (error: unknown): boolean =>
  isOneOf(error, [UnsupportedError, PermissionError, WrongBaseUrlError]);

/** Whether it says that the server understood and does not do it: it knows no such thing, or takes none like it. */
export const isNotTaken = (error: unknown): boolean => isOneOf(error, [NotFoundError, InvalidRequestError]);

/** Whether it says the one or the other. */
export const isRefused = (error: unknown): boolean => isNotOffered(error) || isNotTaken(error);
