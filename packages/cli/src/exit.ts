/** Where a command leaves its exit code, since commander's actions return nothing. */
export interface Exit {
  code: number;
}
