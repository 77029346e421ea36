/** Mozilla's check of what its store takes, as far as it is used here; it has no types of its own. */
declare module "addons-linter" {
  interface Finding {
    readonly code: string;
    readonly message: string;
    /** Absent: it is about the whole. */
    readonly file?: string;
  }
  interface Linter {
    run(): Promise<{ readonly errors: Finding[]; readonly warnings: Finding[]; readonly notices: Finding[] }>;
  }
  const linter: { createInstance(options: { config: object; runAsBinary: boolean }): Linter };
  export default linter;
}
