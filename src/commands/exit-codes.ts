/** Exit code of a `--dry-run` that has found changes to make (contract section 5). */
export const FOUND_CHANGES = 2;

/** Exit code of a command that has done a part of its work (contract section 5). */
export const DONE_IN_PART = 3;
