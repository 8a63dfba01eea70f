import { PAGE_BYTES } from '../../paging/index.js';
import { recordView, type RecordView } from '../record-view.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { expandedViews, keyOf, targetsOf, type ExpandedFields, type ReadTargets } from './expand.js';

const [A, B, C] = ['a', 'b', 'c'].map((end) => `01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d${end}`) as [
  string,
  string,
  string,
];
const FIELDS: ExpandedFields = new Map([
  ['company', 'companies'],
  ['contact', 'contacts'],
]);
const row = (company: string | null, contact: string | null = null): RecordView => ({
  id: C,
  company,
  contact,
  archived: false,
});
const key = (id: string, objectType: 'companies' | 'contacts' = 'companies') => ({ objectType, id });
const targets = (...read: [string, RecordView | null][]): ReadTargets =>
  new Map(read.map(([id, view]) => [keyOf(key(id)), view]));
const target = (id: string, text = ''): RecordView => ({ id, text });

describe('the targets of views', () => {
  it('are those of all references, each once, in the order of the rows [contract 7]', () => {
    const views = [row(null), row(B, A), row(A, A), row(B), row('no id'), recordView(storedContact(A))];
    expect(targetsOf(views, FIELDS)).toEqual([key(B), key(A, 'contacts'), key(A)]);
  });
});

describe('expanded views', () => {
  it('have records in place of ids, in the places of these [contract 7]', () => {
    const read = targets([A, target(A)], [B, null]);
    const { views, texts } = expandedViews([row(A), row(B), row(null)], FIELDS, read);
    expect(views).toEqual([{ ...row(A), company: target(A) }, row(B), row(null)]);
    expect(Object.keys(views[0] ?? {})).toEqual(Object.keys(row(A)));
    expect(texts).toEqual(views.map((view) => JSON.stringify(view)));
  });

  it('end where they would exceed a page, but there is one at least [contract 3, contract 7]', () => {
    const large = target(A, 'x'.repeat(PAGE_BYTES / 2 - 500));
    const read = targets([A, large]);
    expect(expandedViews([row(A), row(A), row(A)], FIELDS, read).views).toHaveLength(2);
    const huge = target(A, 'x'.repeat(PAGE_BYTES));
    expect(expandedViews([row(A), row(A)], FIELDS, targets([A, huge])).views).toEqual([
      { ...row(A), company: huge },
    ]);
  });

  it('end before the first whose records were not read [contract 3, contract 7]', () => {
    const read = targets([A, target(A)]);
    const { views } = expandedViews([row(A), row(A), row(B), row(A)], FIELDS, read);
    expect(views).toHaveLength(2);
    expect(expandedViews([row(B), row(A)], FIELDS, read).views[0]).toEqual(row(B));
  });
});
