import { Alert, Button, Group, List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError, isSessionEnd } from '../api/errors';
import type { ObjectType } from '../api/records';
import { AppLink } from './app-link';
import { NotFound } from './states';

interface ProblemProps {
  error: unknown;
  /** What did not work; left out, that something could not be loaded. */
  title?: string;
  retry?: () => void;
}

/** An error, in the words of the service, and what can be done. */
export function Problem({ error, title, retry }: ProblemProps) {
  const { t } = useTranslation();
  // The window over the page says it.
  if (isSessionEnd(error)) return null;
  if (error instanceof ApiError && error.status === 404 && title === undefined) return <NotFound />;
  const { body } = error instanceof ApiError ? error : new ApiError(-1, error);
  return (
    <Alert variant="default" title={title ?? t('common.failed')} role="alert" my="sm">
      <Text size="sm">{messageOf(t, error)}</Text>
      {(body.errors ?? []).length > 1 && (
        <List size="sm">
          {body.errors?.map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>{message}</List.Item>
          ))}
        </List>
      )}
      <InUse body={body} />
      <Group mt="xs" gap="md">
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('common.retry')}
          </Button>
        )}
        {body.request_id !== undefined && (
          <Text size="xs" c="dimmed">
            {t('common.request', { id: body.request_id })}
          </Text>
        )}
      </Group>
    </Alert>
  );
}

/** What an error says, in the words of the service where it has answered. */
export function messageOf(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  if (error.status === 0) return t('common.unreachable');
  return error.status === 403 ? `${t('common.forbidden')} ${error.message}` : error.message;
}

/** Says that something failed where no page has room for it. */
export function notifyOf(t: TFunction, error: unknown, title: string): void {
  notifications.show({ title, message: messageOf(t, error), color: 'red' });
}

/** Of a conflict: who uses the thing. */
function InUse({ body: { routers = [], records = {} } }: Pick<ApiError, 'body'>) {
  const { t } = useTranslation();
  if (routers.length === 0 && Object.keys(records).length === 0) return null;
  return (
    <Text size="sm" component="div" mt="xs">
      {t('common.used_by')}
      <ul>
        {routers.map(({ id, name }) => (
          <li key={id}>
            <AppLink to="/routers/$router" params={{ router: id }}>
              {name}
            </AppLink>
          </li>
        ))}
        {Object.entries(records).map(([type, count]) => (
          <li key={type}>{`${t(`common.types.${type as ObjectType}`)}: ${count}`}</li>
        ))}
      </ul>
    </Text>
  );
}
