import { type ComponentType, type ReactNode } from 'react';
import { type Managed } from '../../api/managed';
import { type Column } from '../../parts/data-table';
import { type SettingsSection } from './frame';

/** What the form of a kind gets: what is typed so far, and what is wrong with it. */
export interface FormProps<D> {
  draft: D;
  set: (changes: Partial<D>) => void;
  /** What the service says of a key. */
  wrong: (key: string) => string | undefined;
  /** Whether the object is being created. */
  isNew: boolean;
}

/** What a page says of its kind of configuration. */
export interface KindPage<T extends Managed, D extends object> {
  section: SettingsSection;
  nameOf: (item: T) => string;
  /** What a form begins with; of no item, that of a new one. The keys are those of a body. */
  draftOf: (item: T | undefined) => D;
  columns: Column<T>[];
  Form: ComponentType<FormProps<D>>;
  /** What else can be done with an item. */
  actions?: (item: T) => ReactNode;
  /** Called with what the service has answered to a creation. */
  onCreated?: (created: T) => void;
  /** What a list is asked for beside its page. */
  query?: Record<string, string>;
  /** Whether names are found by the service. */
  isSearched?: boolean;
  canArchive?: (item: T) => boolean;
  children?: ReactNode;
}
