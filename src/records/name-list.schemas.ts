import { listOf, text, type Schema } from '../http/index.js';
import { MOST_NAMES } from './name-list.decorator.js';
import { MOST_EXPANDED } from './references/expanded-view.js';

const names = (most: number): Schema => listOf(text('Internal name of a field', 100), most);

/** The schema of `properties` in a body. */
export const PROPERTIES: Schema = {
  ...names(MOST_NAMES),
  description: 'Fields to return beside the default ones',
};

/** The schema of `expand` in a body. */
export const EXPAND: Schema = {
  ...names(MOST_EXPANDED),
  description:
    'References to show as the records that they name. The query parameter `expand` says the same, and both count',
};
