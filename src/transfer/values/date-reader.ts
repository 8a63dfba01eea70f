import { DateTime, IANAZone } from 'luxon';
import { invalid } from '../../errors/errors.js';
import { withoutInvisibleEnds } from '../../text/email-key.js';
import { shownName } from '../../text/shown-name.js';
import { isoDay, parseInstant } from '../../time/parse-instant.js';

/** How the dates of a file are written. */
export interface DateRules {
  /** Tokens of luxon, such as `dd/MM/yyyy HH:mm`. */
  readonly format?: string | undefined;
  /** The IANA zone of what says none. Default: UTC. */
  readonly timezone?: string | undefined;
}

/** What a format may have: each unit once. */
const TOKENS: Readonly<Record<string, string>> = {
  year: 'yyyy yy y',
  month: 'MMMM MMM MM M',
  day: 'dd d',
  weekday: 'EEEE EEE',
  hour: 'HH H hh h',
  minute: 'mm m',
  second: 'ss s',
  millisecond: 'SSS',
  half: 'a',
  zone: 'ZZZ ZZ Z z',
};
const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries(TOKENS).flatMap(([unit, tokens]) => tokens.split(' ').map((token) => [token, unit])),
);
/** No date is longer. Longer text is refused before the pattern runs. */
const MOST_LENGTH = 100;
const DIGITS_ALONE = /^[+-]?\d+$/;

/** Reads dates of a file: those of its format, and those that every request may have. */
export class DateReader {
  private readonly parser: ReturnType<typeof DateTime.buildFormatParser> | undefined;
  private readonly hasZone: boolean;
  private readonly hasTime: boolean;
  private readonly zone: IANAZone | undefined;

  /** @throws DomainError 400 for a format or a zone that is none */
  constructor(private readonly rules: DateRules) {
    const { format, timezone } = rules;
    const units = format === undefined ? [] : unitsOf(format);
    this.hasZone = units.includes('zone');
    this.hasTime = units.includes('hour');
    this.parser = format === undefined ? undefined : DateTime.buildFormatParser(format, { locale: 'en' });
    if (timezone !== undefined && !IANAZone.isValidZone(timezone))
      throw invalid([
        { message: `--timezone must be an IANA zone such as Europe/Berlin: ${shownName(timezone)}` },
      ]);
    this.zone = timezone === undefined ? undefined : IANAZone.create(timezone);
  }

  /** What is read, as messages say it. */
  get accepted(): string {
    const { format, timezone } = this.rules;
    const written =
      format === undefined ? 'a date of ISO 8601 or RFC 2822' : `a date as ${format}, or of ISO 8601`;
    return timezone === undefined ? written : `${written}, at a time that there is in ${timezone}`;
  }

  /** Returns the instant as ISO 8601; undefined for what is none. Digits alone are read by the format. */
  read(cell: string): string | undefined {
    const text = withoutInvisibleEnds(cell);
    if (text.length > MOST_LENGTH) return undefined;
    if (this.parser !== undefined) {
      const options = { zone: 'utc', setZone: true, locale: 'en' } as const;
      const date = DateTime.fromFormatParser(text, this.parser, options);
      if (date.isValid) return this.hasZone ? iso(date) : this.placed(date, !this.hasTime);
      if (DIGITS_ALONE.test(text)) return undefined;
    }
    const instant = parseInstant(text);
    if (instant === undefined) return undefined;
    const date = DateTime.fromMillis(instant, { zone: 'utc' });
    return this.zone !== undefined && isWithoutZone(text)
      ? this.placed(date, isoDay(text) !== undefined)
      : iso(date);
  }

  /**
   * When the clock of the zone shows a time, at first where it does so twice; undefined where it skips that.
   * Of a day, the first instant, which midnight is not everywhere.
   * @param date of UTC
   */
  private placed(date: DateTime, isDay: boolean): string | undefined {
    if (this.zone === undefined) return iso(date);
    const [local = date] = date.setZone(this.zone, { keepLocalTime: true }).getPossibleOffsets();
    const isThere =
      local.day === date.day && (isDay || (local.hour === date.hour && local.minute === date.minute));
    return isThere ? iso(local) : undefined;
  }
}

function iso(date: DateTime): string {
  return date.toJSDate().toISOString();
}

/** Whether a text that `parseInstant` reads leaves it to the reader which zone is meant. */
function isWithoutZone(text: string): boolean {
  return isoDay(text) !== undefined || parseInstant(`${text}Z`) !== undefined;
}

/** @throws DomainError 400 for a format by which dates cannot be read, or not surely */
function unitsOf(format: string): readonly string[] {
  const tokens = format.replace(/'[^']*'/g, ' ').match(/([a-z])\1*/gi) ?? [];
  const refuse = (what: string): Error =>
    invalid([{ message: `--date-format ${shownName(format)} ${what}` }]);
  const unknown = tokens.find((token) => !UNITS.has(token));
  if (unknown !== undefined) {
    const known = Object.values(TOKENS).join(' ');
    throw refuse(`has ${shownName(unknown)}. A format has ${known}, and other text in single quotes`);
  }
  const units = tokens.map((token) => UNITS.get(token) ?? '');
  const missing = ['year', 'month', 'day'].find((unit) => !units.includes(unit));
  if (missing !== undefined)
    throw refuse(`has no ${missing}: ${TOKENS[missing]}${missing === 'month' ? ' (mm is the minute)' : ''}`);
  const twice = units.find((unit, index) => units.indexOf(unit) < index);
  if (twice !== undefined) throw refuse(`has two of ${TOKENS[twice]}`);
  if (units.includes('half') !== tokens.some((token) => token.startsWith('h')))
    throw refuse('must have h or hh with a, and H or HH without');
  return units;
}
