import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const harbour: MantineColorsTuple = [
  '#edf6f9',
  '#dbe9ee',
  '#b3d3de',
  '#8bbdcf',
  '#69abc3',
  '#4f9bb5',
  '#3a87a2',
  '#2b748e',
  '#1d6480',
  '#134f66',
];

const DIALOG = { attributes: { header: { role: 'none' } }, closeOnClickOutside: false };

export const theme = createTheme({
  colors: { harbour },
  primaryColor: 'harbour',
  primaryShade: 8,
  defaultRadius: 'sm',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // A link within text is not told by its colour alone.
    Anchor: { defaultProps: { inherit: true, underline: 'always' } },
    // The head of a dialog is no banner of the page; a click beside it loses nothing that was typed.
    Modal: { defaultProps: DIALOG },
    Drawer: { defaultProps: DIALOG },
  },
  headings: { fontWeight: '600' },
});

/** Colours with a contrast of at least 4.5 on every ground of the console (WCAG 1.4.3), in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#52595f',
    '--mantine-color-placeholder': '#656d74',
    '--mantine-color-error': '#b42318',
    '--good': '#1a6b3c',
    '--bad': '#b42318',
    '--caution': '#8a5300',
    '--ground': '#f6f8f9',
    '--line': '#d9dfe3',
    '--bar': '#4f9bb5',
    '--bar-refused': '#d08770',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b1b8',
    '--mantine-color-placeholder': '#98a1a8',
    '--mantine-color-error': '#ff9a8f',
    '--good': '#6fcf97',
    '--bad': '#ff9a8f',
    '--caution': '#f2b84b',
    '--ground': '#1b1d1f',
    '--line': '#3d4246',
    '--bar': '#4f9bb5',
    '--bar-refused': '#b5654a',
  },
});

/** The nonce that the policy of the page allows styles with. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
