/** A part of an account's configuration that a reader knows already. */
export interface KnownPart<T> {
  readonly part: T;
  /** The version of the configuration in which the reader has read it. */
  readonly version: string;
}
