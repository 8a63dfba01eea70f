/** Why a write is refused. `field` is left out for an error that concerns no single field. */
export interface FieldError {
  field?: string;
  message: string;
}
