import type { TFunction } from 'i18next';

/** A value of a setting as people read it. */
export function shownValue(t: TFunction, value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
