import { StoredNames } from '../directory/index.js';
import { versionOf, withVersion, type RecordView } from './record-view.js';

/** What a statement reads of users whose e-mail has changed: the e-mails by stored name; null for none. */
export type Renamed = Readonly<Record<string, string>> | null | undefined;

/** Returns a view with the e-mails of users in its user fields. @param userFields names of these */
export function shownView(view: RecordView, renamed: Renamed, userFields: readonly string[]): RecordView {
  const names = StoredNames.from(renamed);
  return names.isEmpty ? view : withEmails(view, names, userFields);
}

/** As `shownView`, of views as JSON text. */
export function shownTexts(
  views: readonly string[],
  renamed: Renamed,
  userFields: readonly string[],
): readonly string[] {
  const names = StoredNames.from(renamed);
  if (names.isEmpty) return views;
  return views.map((view) => JSON.stringify(withEmails(JSON.parse(view) as RecordView, names, userFields)));
}

function withEmails(view: RecordView, names: StoredNames, userFields: readonly string[]): RecordView {
  const shown = { ...view };
  for (const name of userFields) {
    const stored = Object.hasOwn(view, name) ? view[name] : null;
    if (typeof stored === 'string') shown[name] = names.emailOf(stored);
  }
  return withVersion(shown, versionOf(view));
}
