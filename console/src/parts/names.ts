import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { userByEmailQuery } from '../api/named';
import { useAccess } from '../app/access';
import { useFormats } from '../i18n/format';
import type { Say } from '../model/say';

/** The most people whose names are asked for: of others the e-mail stands. */
const MOST = 100;

/** What view models speak with: the language, and the names of some people. */
export function useSay(emails: readonly string[]): Say {
  const { t } = useTranslation();
  const { list, credit } = useFormats();
  const may = useAccess()('directory:read');
  const asked = emails.slice(0, MOST);
  const found = useQueries({ queries: asked.map((email) => ({ ...userByEmailQuery(email), enabled: may })) });
  const names = new Map(asked.map((email, index) => [email, found[index]?.data?.name ?? email]));
  return { t, list, credit, person: (email) => names.get(email) ?? email };
}
