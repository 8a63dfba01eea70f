import type { TFunction } from 'i18next';
import type { Words } from '../words/words';

type Engine = Words['engine'];
type Vocabulary = 'reasons' | 'checks' | 'models' | 'rules' | 'columns' | 'operators' | 'steps';

/** What view models speak with. */
export interface Say {
  t: TFunction;
  list: (values: readonly string[]) => string;
  credit: (value: number) => string;
  /** What a person is called, by the e-mail. */
  person: (email: string) => string;
}

/** A word of the engine. Extensions have words of their own, which are shown as they are. */
export function word<V extends Vocabulary>(t: TFunction, vocabulary: V, id: string): string {
  const key = `engine.${vocabulary}.${id as keyof Engine[V] & string}`;
  return (t as (key: string, options: object) => string)(key, { defaultValue: id.replaceAll('_', ' ') });
}
