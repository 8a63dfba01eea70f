import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client';
import type { ObjectType } from './records';
import type { Field } from './types';

/** All fields of an object type, in their order. */
export function fieldsQuery(type: ObjectType) {
  return queryOptions({
    queryKey: ['fields', type],
    queryFn: async (): Promise<Field[]> => {
      const fields: Field[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const query = { object_type: type, limit: 100, ...(after !== undefined && { after }) };
        const page: { data: Field[]; pagination: { next?: string | null } } = await answer(
          api.GET('/fields', { params: { query } }),
        );
        fields.push(...page.data);
        after = page.pagination.next ?? null;
      }
      return fields;
    },
    staleTime: 60_000,
  });
}
