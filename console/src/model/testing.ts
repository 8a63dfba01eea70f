import type { TFunction } from 'i18next';
import en from '../words/en/index';
import type { Say } from './say';

/** The English words with their values, as i18next gives them: enough for what view models say. */
const t = (key: string, options: Record<string, unknown> = {}): string => {
  const plural = typeof options.count === 'number' ? [`${key}_${options.count === 1 ? 'one' : 'other'}`] : [];
  const found = [key, ...plural].map(find).find((text) => text !== undefined) ?? options.defaultValue;
  if (typeof found !== 'string') throw new Error(`No words for ${key}`);
  return found.replace(/\{\{(\w+)[^}]*\}\}/g, (_, name: string) => String(options[name]));
};

function find(key: string): string | undefined {
  const found = key.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], en);
  return typeof found === 'string' ? found : undefined;
}

export const english: Say = {
  t: t as unknown as TFunction,
  list: (values) => new Intl.ListFormat('en').format(values),
  credit: (value) => value.toFixed(2),
  person: (email) => email.replace(/@.*/, ''),
};
