/** An error in one place of a configuration. */
export interface FieldIssue {
  /** Path, such as `settings.trigger.groups[0].conditions[1].operator`. */
  readonly field: string;
  readonly message: string;
}

/** Adds one issue. Validation goes on, so that it reports all of them. */
export type ReportIssue = (field: string, message: string) => void;

/** A list of issues and the function that adds to it. */
export function collectIssues(): { readonly issues: FieldIssue[]; readonly report: ReportIssue } {
  const issues: FieldIssue[] = [];
  return { issues, report: (field, message) => void issues.push({ field, message }) };
}
