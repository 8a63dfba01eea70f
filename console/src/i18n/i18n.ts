import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Words } from '../words/words';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Record<Language, () => Promise<{ default: Words }>> = {
  en: () => import('../words/en/index'),
  de: () => import('../words/de/index'),
};
const KEPT = 'fairlead.language';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'words';
    resources: { words: Words };
    returnNull: false;
  }
}

/** The language that was chosen; else that of the browser, where the console has it; else English. */
function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((tag): tag is Language => tag !== null && Object.hasOwn(LANGUAGES, tag)) ?? 'en';
}

export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    fallbackLng: false,
    ns: ['words'],
    defaultNS: 'words',
    resources: {},
    interpolation: { escapeValue: false },
  });
  await speak(preferredLanguage());
}

/** Changes the language of the page, and keeps the choice in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT, language);
  await speak(language);
}

async function speak(language: Language): Promise<void> {
  i18next.addResourceBundle(language, 'words', (await LOADERS[language]()).default);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}
