/**
 * The environment of somebody with this home and nothing set, in a plain terminal. Programs compiled before are taken as
 * they are where the run of tests keeps them: dozens are started from the same sources.
 */
export function bareEnvironment(home: string): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE: compiled } = process.env;
  return { HOME: home, PATH, TERM: "dumb", ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }) };
}
