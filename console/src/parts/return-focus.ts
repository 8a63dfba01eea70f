import { useEffect, useState } from 'react';

/** Gives the focus back to what had it before a dialog came, as the dialog goes. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The dialog is taken out of the page first.
      setTimeout(() => before instanceof HTMLElement && before.isConnected && before.focus());
    },
    [before],
  );
}
