/** Turns the text of a whole number into a number, for class-transformer. Leaves everything else as it is. */
export const toNumber = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
