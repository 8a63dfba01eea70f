import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PAGES } from '../app/navigation';
import { Page } from '../parts/page';
import { Empty } from '../parts/states';

/** Stands for a page that is not built yet. */
export default function Later() {
  const { t } = useTranslation();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const page = PAGES.find(({ to }) => to !== '/' && path.includes(to))?.key ?? 'today';
  return (
    <Page title={t(`shell.pages.${page}`)}>
      <Empty title={t('shell.not_built')}>{t('shell.not_built_text')}</Empty>
    </Page>
  );
}
