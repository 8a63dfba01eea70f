/** Why a cell cannot be the value of its field. Stands where the value would. */
export class CellProblem {
  /** @param message names the field, and what it accepts */
  constructor(readonly message: string) {}
}
