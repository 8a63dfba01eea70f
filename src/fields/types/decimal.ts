const PLAIN = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** More than the digits before or behind the point of any value that is stored. */
const EXPONENT_OFFSET = 50_000;

/** Whether a text is a plain decimal: sign, digits, fraction. */
export function isPlainDecimal(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * Returns the shortest form of a plain decimal (sign, digits, fraction): `-12.5` for `-012.50`, `0` for `-0`.
 * No digit that counts is lost. Undefined for any other text, such as `1e5`, `.5`, `5.` or ` 5`.
 */
export function shortestDecimal(text: string): string | undefined {
  const parts = PLAIN.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = parts;
  const shortWhole = whole.replace(/^0+(?=\d)/, '');
  const shortFraction = fraction.slice(0, endOfDigits(fraction));
  const size = shortFraction === '' ? shortWhole : `${shortWhole}.${shortFraction}`;
  return sign === '-' && size !== '0' ? `-${size}` : size;
}

/**
 * Returns the plain decimal of a finite number: `1000000000000000000000` for 1e21. It has the fewest digits
 * by which the number is told from others.
 */
export function decimalOf(number: number): string {
  const [, sign = '', first = '', rest = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? [];
  const digits = first + rest;
  const point = first.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  const whole = digits.slice(0, point).padEnd(point, '0');
  const fraction = digits.slice(point);
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`);
}

/**
 * Returns a text by whose code units decimals are ordered as by their size, exactly and of any length. Equal
 * for equal decimals.
 * @param decimal in its shortest form, of at most 40,000 characters
 */
export function decimalKey(decimal: string): string {
  if (decimal === '0') return '0';
  const isNegative = decimal.startsWith('-');
  const size = isNegative ? decimal.slice(1) : decimal;
  const point = size.includes('.') ? size.indexOf('.') : size.length;
  const digits = size.replace('.', '');
  const first = digits.search(/[1-9]/);
  // The size is 0.[digits from the first] times ten to the power of the exponent.
  const key = `${EXPONENT_OFFSET + point - first}${digits.slice(first)}`;
  // A shorter negative is behind a longer one that it starts: a colon is behind every digit.
  return isNegative ? `-${complement(key)}:` : `1${key}`;
}

/** The length of a fraction without the zeros at its end. A pattern would take quadratic time. */
function endOfDigits(fraction: string): number {
  let end = fraction.length;
  while (fraction.charAt(end - 1) === '0') end--;
  return end;
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
