import { InvalidArgumentError } from 'commander';

/** Returns a reader of the value of an option: a whole number of a unit. @param most less than 100,000 */
export const wholeNumber =
  (unit: string, least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
    if (!(number >= least && number <= most))
      throw new InvalidArgumentError(`It must be a whole number of ${unit}, ${least} to ${most}.`);
    return number;
  };
