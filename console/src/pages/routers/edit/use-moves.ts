import { useRef, useState } from 'react';
import { moved } from '../../../parts/lists';
import { follow, type Named } from '../../../model/follow';

/** A list of which things are moved: keys that stay with them, and focus that stays on what moves them. */
export function useMoves<T extends Named>(things: readonly T[], onChange: (things: T[]) => void) {
  const [followed, setFollowed] = useState(() => follow(undefined, things));
  const isSame =
    followed.things.length === things.length && things.every((thing, n) => thing === followed.things[n]);
  const current = isSame ? followed : follow(followed, things);
  if (current !== followed) setFollowed(current);
  const list = useRef<HTMLOListElement>(null);
  return {
    list,
    keys: current.keys,
    /** The key of the next one that is added. */
    next: current.next,
    /** @param by the control that has the focus: its `data-move` */
    move: (place: number, to: number, by: string) => {
      if (to < 0 || to >= things.length) return;
      onChange(moved(things, place, to));
      // It is drawn at its new place first. A button that can move it no further has no focus.
      requestAnimationFrame(() => {
        const item = list.current?.querySelector(`:scope > [data-place="${to}"]`);
        const control = item?.querySelector<HTMLElement>(`[data-move=${by}]:not(:disabled)`);
        (control ?? item?.querySelector<HTMLElement>('[data-first]'))?.focus();
      });
    },
  };
}
