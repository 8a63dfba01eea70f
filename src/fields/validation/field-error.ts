/** Why a write is refused; `field` is left out where no single field is to blame. */
export interface FieldError {
  field?: string;
  message: string;
}
