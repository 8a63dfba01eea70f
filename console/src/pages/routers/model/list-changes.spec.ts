import { listChanges } from './list-changes';

it('says of a list what was added, removed, changed and moved', () => {
  const before = [{ name: 'VIP' }, { id: 'e', name: 'Europe' }, { name: 'Rest', refuse: true }];
  const after = [{ id: 'e', name: 'EU', users: [] }, { name: 'VIP' }, { id: 'n', name: 'New' }];
  expect(listChanges(before, after)).toEqual({
    entries: [
      { name: 'EU', what: ['name', 'users'] },
      { name: 'New', what: 'added' },
      { name: 'Rest', what: 'removed' },
    ],
    isMoved: true,
  });
  expect(listChanges(before, before)).toEqual({ entries: [], isMoved: false });
  expect(listChanges([{ email: 'a' }], [])).toBeUndefined();
});
