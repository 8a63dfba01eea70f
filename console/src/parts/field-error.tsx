import { Text } from '@mantine/core';

/** What is wrong with a field; nothing where nothing is. */
export function FieldError({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Text size="sm" className="bad" role="alert">
      {message}
    </Text>
  );
}
