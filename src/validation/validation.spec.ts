import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsObject, Min, ValidateNested } from 'class-validator';
import { stepsOf } from '../../test/units/steps-of.js';
import { IsEmailAddress } from './email-key.decorator.js';
import { HasDistinctItems, IsStorableText, MayBeAbsent, MayBeNull } from './decorators.js';
import { validateDto } from './validate-dto.js';

class Part {
  @IsStorableText(5)
  name!: string;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  size?: number;
}

class Whole {
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => Part)
  parts?: Part[];

  @MayBeNull()
  @IsStorableText(5)
  note?: string | null;
}

/** The errors of a value, by path. */
function errorsOf(value: object): [path: string | undefined, message: string][] {
  const result = validateDto(Whole, value);
  return result.ok ? [] : result.errors.map(({ field, message }) => [field, message]);
}

describe('a value of a class', () => {
  it('is made of what is right', () => {
    const result = validateDto(Whole, { parts: [{ name: 'a' }, { name: 'b', size: 2 }], note: null });
    expect(result).toEqual({
      ok: true,
      value: { parts: [{ name: 'a' }, { name: 'b', size: 2 }], note: null },
    });
    expect(result.ok && result.value).toBeInstanceOf(Whole);
    expect(result.ok && result.value.parts?.[0]).toBeInstanceOf(Part);
  });

  it('may leave out what may be absent, and be null only where it may be null', () => {
    expect(errorsOf({})).toEqual([]);
    expect(errorsOf({ note: null })).toEqual([]);
    expect(errorsOf({ parts: null })).toEqual([['parts', 'parts must be an array']]);
    expect(errorsOf({ parts: [{ name: 'a', size: null }] }).map(([path]) => path)).toEqual(['parts[0].size']);
  });

  it('is refused with every failing field, one message for each', () => {
    expect(errorsOf({ parts: [{ name: '' }, { name: 'b', size: 0.5 }], note: 5, extra: 1 })).toEqual([
      ['extra', 'Unknown key: extra (allowed: parts, note)'],
      ['parts[0].name', 'name must be a text of 1 to 5 characters'],
      ['parts[1].size', 'size must be an integer number'],
      ['note', 'note must be a text of 1 to 5 characters'],
    ]);
  });

  it.each(['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'])(
    'is refused with the key %s, at any depth, once',
    (key) => {
      const text = `{ "parts": [{ "name": "a", ${JSON.stringify(key)}: 1 }], ${JSON.stringify(key)}: 1 }`;
      expect(errorsOf(JSON.parse(text) as object).sort()).toEqual(
        [
          [key, `Unknown key: ${key} (allowed: parts, note)`],
          [`parts[0].${key}`, `Unknown key: ${key}`],
        ].sort(),
      );
    },
  );

  it('is refused with a list or a text in the place of an object, and an object in that of a list', () => {
    expect(errorsOf({ parts: [[]] })).toEqual([['parts[0]', 'parts[0] must not be a list in a list']]);
    expect(errorsOf({ parts: ['a'] }).map(([path]) => path)).toEqual(['parts[0]']);
    expect(errorsOf({ parts: [null] }).map(([path]) => path)).toEqual(['parts[0]']);
    expect(errorsOf({ parts: { name: 'a', size: 'x' } })).toEqual([['parts', 'parts must be an array']]);
    expect(errorsOf({ parts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })).toEqual([
      ['parts', 'parts must contain no more than 2 elements'],
    ]);
  });

  it('is read no further than one element too far where a list is too long', () => {
    let read = 0;
    const part = {
      get name() {
        read++;
        return 'too long';
      },
    };
    const found = errorsOf({ parts: Array(20_000).fill(part) });
    expect(found.map(([path]) => path)).toEqual(['parts', ...[0, 1, 2].map((n) => `parts[${n}].name`)]);
    expect(read).toBe(3);
  });

  it('is not read where a list is in the place of an object', () => {
    class Holder {
      @IsObject()
      @ValidateNested()
      @Type(() => Part)
      part!: Part;
    }
    expect(validateDto(Holder, { part: [{ constructor: 1 }, { name: 'a' }] })).toMatchObject({
      ok: false,
      errors: [{ field: 'part', message: 'part must be an object' }],
    });
  });

  it('is shown the names of unknown keys only as far as a person reads', () => {
    const [[path, message] = []] = errorsOf({ ['x'.repeat(10_000)]: 1 });
    expect(path!.length).toBeLessThanOrEqual(100);
    expect(message).toBe(`Unknown key: ${path!} (allowed: parts, note)`);
  });
});

describe('a text that can be stored', () => {
  it.each(['a', ' a ', 'ä😀', 'abcde', '\n.'])('may be %j', (note) => expect(errorsOf({ note })).toEqual([]));

  it.each(['', '  ', '\n', 'abcdef', 'a\u0000', '\uD83D', '\uDE00a', 5, true, [], {}])(
    'is not %j',
    (note) => {
      expect(errorsOf({ note }).map(([path]) => path)).toEqual(['note']);
    },
  );
});

describe('a list of distinct items', () => {
  class Listing {
    @HasDistinctItems()
    texts!: unknown[];

    @HasDistinctItems((part: Part) => part.name)
    parts!: unknown[];
  }
  const refused = (texts: unknown, parts: unknown): (string | undefined)[] => {
    const result = validateDto(Listing, { texts, parts });
    return result.ok ? [] : result.errors.map(({ message }) => message);
  };

  it('may have any items whose keys differ', () => {
    expect(refused([], [])).toEqual([]);
    expect(refused(['a', 'A', null], [{ name: 'a' }, { name: 'b' }, {}])).toEqual([]);
  });

  it('is refused by its name', () => {
    const [texts, parts] = ['texts must not name one twice', 'parts must not name one twice'];
    expect(refused(['a', 'b', 'a'], [{ name: 'a' }, { name: 'a' }])).toEqual([texts, parts]);
    expect(refused('aa', [{}, {}])).toEqual([texts, parts]);
    expect(refused([null, null], {})).toEqual([texts, parts]);
  });

  it('takes a key of each item once, however many there are', () => {
    const count = 2_000;
    let asked = 0;
    class Long {
      @HasDistinctItems(() => asked++)
      items!: unknown[];
    }
    const steps = stepsOf(() => {
      expect(validateDto(Long, { items: Array(count).fill('x') }).ok).toBe(true);
    });
    expect(asked).toBe(count);
    // Comparing every two of them takes count / 2 for each.
    expect(steps).toBeLessThan(20 * count);
  });
});

describe('an e-mail address', () => {
  class Person {
    @IsEmailAddress()
    email!: string;
  }
  const read = (email: unknown): unknown => {
    const result = validateDto(Person, { email });
    return result.ok ? result.value.email : result.errors.map(({ message }) => message).join();
  };

  it('is read as its key', () => expect(read(' Ada@Acme.Test ')).toBe('ada@acme.test'));

  it.each(['a', 'a@b', `a@${'a.'.repeat(9)}`, 5, null, []])('is not %j', (email) =>
    expect(read(email)).toBe('email must be an email'),
  );

  it.each([
    ['\uD800', 'unpaired surrogates'],
    ['\uD800@acme.test', 'unpaired surrogates'],
    ['a\u0000@acme.test', 'the NUL character'],
  ])('is not %j, which no database stores', (email, what) =>
    expect(read(email)).toMatch(`email must not contain ${what}`),
  );
});
