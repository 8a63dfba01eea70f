// Values, good and odd, for a schema of the OpenAPI document.
import { resolved } from '../openapi.mjs';
import { KNOWN, SETTINGS } from './known-values.mjs';

const ODD = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  -0,
  2 ** 53,
  0.1,
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  '\ud800',
  '\u0007',
  'a'.repeat(300),
  'x'.repeat(20_000),
  '\u6587'.repeat(6_000),
  [],
  [[]],
  [[[1]]],
  {},
  { a: {} },
  { constructor: 1 },
  ['x', null, 1],
  'constructor',
  '__proto__',
  "'; --",
  '%',
  '${7}',
  '2024-02-30',
  '2024-01-01T00:00:60Z',
  '0001-01-01',
  '+275760-09-14T00:00:00Z',
  '1e5',
  '1'.repeat(400),
  '-0',
  '0x10',
  'a@b',
  'a@b.test',
  'http://[::1]/',
  'http://x.test:99999/',
  '\u0130',
  'e\u0301',
];

const NAMES = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'id',
  'record_id',
  'archived',
  'k',
  '',
  ' ',
  '\u0000',
  'text_0',
  'notes_1',
];

/** The options of a field are part of its description, since accounts add some. */
const OPTIONS = /one of (.+), and options/;

/** Draws values for schemas. `ids` are those that exist. */
export class Values {
  constructor(random, ids) {
    this.random = random;
    this.ids = ids;
    this.count = 0;
    /** The probability of a value that is not of its schema. */
    this.oddness = 0;
  }

  /** An id that exists, one of another account, or one of nobody. */
  id(name) {
    const { random, ids } = this;
    if (name === 'version' && random.chance(0.6)) return String(1 + random.below(3));
    const kind = Object.keys(ids).find((each) => name.toLowerCase().includes(each));
    if (kind !== undefined && random.chance(0.6)) return random.one(ids[kind]);
    return random.one([
      ...Object.values(ids).flat(),
      'x',
      '0',
      '00000000-0000-0000-0000-000000000000',
      '\u0000',
      'constructor',
    ]);
  }

  odd() {
    return this.random.one(ODD);
  }

  /** A value of the schema, or sometimes another one. */
  of(schema, name = '') {
    const { random } = this;
    const {
      type,
      enum: options,
      oneOf,
      properties,
      items,
      format,
      description = '',
      required = [],
    } = resolved(schema);
    if (random.chance(this.oddness)) return this.odd();
    if (oneOf !== undefined) return this.of(random.one(oneOf), name);
    if (options !== undefined) return random.one(options);
    const kind = Array.isArray(type) ? (random.chance(0.95) ? type[0] : random.one(type)) : type;
    const [, listed] = OPTIONS.exec(description) ?? [];
    if (listed !== undefined) return random.one(listed.split(', '));
    if (name === 'settings' && !random.chance(this.oddness)) return this.settings();
    if (kind === 'object' || properties !== undefined) return this.object(properties ?? {}, required);
    if (kind === 'array') {
      return Array.from({ length: random.below(6) }, () => this.of(items, name));
    }
    if (kind === 'integer' || kind === 'number') return random.below(name === 'version' ? 4 : 1_000);
    if (kind === 'boolean') return random.chance(0.5);
    if (kind === 'null') return null;
    return this.text(name, format);
  }

  object(properties, required) {
    const { random } = this;
    const entries = Object.entries(properties)
      .filter(([name]) => random.chance(required.includes(name) ? 0.95 : 0.4))
      .map(([name, schema]) => [name, this.of(schema, name)]);
    while (random.chance(this.oddness)) entries.push([random.one(NAMES), this.odd()]);
    return Object.fromEntries(entries);
  }

  settings() {
    const { random } = this;
    const drawn = Object.entries(SETTINGS).filter(() => random.chance(0.3));
    return Object.fromEntries(drawn.map(([key, valueOf]) => [key, valueOf(random)]));
  }

  text(name, format) {
    const { random } = this;
    const n = this.count++;
    if (/_id(s)?$|Id$/.test(name) && name !== 'external_id') return this.id(name);
    const known = KNOWN[name];
    if (known !== undefined && random.chance(0.9)) return random.one(known(n, random));
    if (format === 'date-time' || name === 'close_date')
      return new Date(random.below(2 ** 31) * 1_000).toISOString();
    if (name === 'website_url') return `https://fuzz${n}.example.org/path`;
    if (name === 'amount' || name.startsWith('number') || name === 'annual_revenue')
      return `${random.below(1e6)}.5`;
    if (name.endsWith('_owner')) return 'user0@south.test';
    return `text ${n}`;
  }
}
