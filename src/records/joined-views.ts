/** The beginning of a view as JSON. */
const BEGIN = '{"id":"';
/** What is between two views, and nowhere else: a quotation mark in a text has a backslash before it. */
const BETWEEN = `},${BEGIN}`;

/** Returns views that are joined by commas one by one. */
export function viewsIn(text: string): readonly string[] {
  const views = text.split(BETWEEN);
  const last = views.length - 1;
  return views.map((view, index) => `${index === 0 ? '' : BEGIN}${view}${index === last ? '' : '}'}`);
}

/** Returns two or more joined views without the last one. */
export const withoutLast = (text: string): string => text.slice(0, text.lastIndexOf(BETWEEN) + 1);

/** Returns the id in the last of joined views. */
export function lastIdIn(text: string): string {
  const between = text.lastIndexOf(BETWEEN);
  const start = between === -1 ? BEGIN.length : between + BETWEEN.length;
  return text.slice(start, text.indexOf('"', start));
}
