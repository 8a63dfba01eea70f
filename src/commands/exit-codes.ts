/** Exit code of a `--dry-run` that has found changes to make (contract section 5). */
export const FOUND_CHANGES = 2;
