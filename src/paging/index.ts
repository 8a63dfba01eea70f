export {
  cursorBehind,
  cursorOfText,
  idOfCursor,
  NO_CURSOR,
  NO_OFFSET,
  pageStart,
  textOfCursor,
} from './cursor.js';
export { versionOf } from './version-of.js';
export { jsonPage, textOfPage } from './json-page.js';
export {
  cursorPage,
  fittingRows,
  page,
  PAGE_BYTES,
  PAGE_ROWS,
  rowPage,
  type Page,
  type PageRange,
  type PageRequest,
  type SearchPage,
} from './page.js';
