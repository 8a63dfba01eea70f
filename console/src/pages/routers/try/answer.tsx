import { Text } from '@mantine/core';
import type { components } from '../../../api/schema';
import type { Field } from '../../../api/fields';

/** What the service has answered: who and why, and each step. */
export function Answer({
  result,
}: {
  result: components['schemas']['Simulation'];
  fields: readonly Field[];
}) {
  return <Text size="sm">{result.message}</Text>;
}
