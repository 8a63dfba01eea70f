/** A record as the database gives it. */
export interface RecordRow {
  readonly id: string;
  /** Stored values by internal name; cleared fields are absent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly archived_at: Date | null;
  readonly archived_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}
