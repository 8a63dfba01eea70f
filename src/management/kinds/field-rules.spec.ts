import { wantedOptions } from './field-rules.js';

const EMEA = { internalName: 'emea', label: 'EMEA' };
const APAC = { internalName: 'apac', label: 'APAC' };

function wanted(mode: 'merge' | 'replace', options?: { internal_name: string; label?: string }[]) {
  const refused: string[] = [];
  const fail = (_: string, message: string): void => void refused.push(message);
  const body = options === undefined ? {} : { options };
  return { options: wantedOptions([EMEA, APAC], body, { replaces: mode === 'replace', fail }), refused };
}

describe('the options of a field', () => {
  it('of a file are added at the end, and none is removed [contract 5]', () => {
    const { options } = wanted('merge', [
      { internal_name: 'latam' },
      { internal_name: 'EMEA', label: 'Europe' },
    ]);
    expect(options).toEqual([
      { internalName: 'emea', label: 'Europe' },
      APAC,
      { internalName: 'latam', label: 'latam' },
    ]);
  });

  it('of a PATCH are the whole list, in its order [contract 6]', () => {
    const { options } = wanted('replace', [{ internal_name: 'latam' }, { internal_name: 'emea' }]);
    expect(options).toEqual([{ internalName: 'latam', label: 'latam' }, EMEA]);
    expect(wanted('replace', []).options).toEqual([]);
  });

  it.each(['merge', 'replace'] as const)('stay where they are left out: %s', (mode) => {
    expect(wanted(mode).options).toEqual([EMEA, APAC]);
  });

  it('are refused where one is named twice, in any case [contract 5]', () => {
    const twice = wanted('replace', [{ internal_name: 'emea' }, { internal_name: 'Emea' }]);
    expect(twice).toEqual({ options: undefined, refused: ['the option Emea is named twice'] });
  });
});
