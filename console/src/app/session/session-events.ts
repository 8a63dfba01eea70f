import { useSyncExternalStore } from 'react';

/** Tells the other tabs of this browser that somebody has signed in or out. */
const channel = new BroadcastChannel('fairlead.session');

/** Whether an answer has said that the session is over while the console was in use. */
let ended = false;
const listeners = new Set<() => void>();

export function setEnded(value: boolean): void {
  if (ended === value) return;
  ended = value;
  for (const listener of listeners) listener();
}

export function useEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ended,
  );
}

export function tellTabs(what: 'entered' | 'left'): void {
  channel.postMessage(what);
}

/** Calls back when another tab has signed in or out. */
export function onTabs(listener: (what: unknown) => void): () => void {
  const heard = ({ data }: MessageEvent) => listener(data);
  channel.addEventListener('message', heard);
  return () => channel.removeEventListener('message', heard);
}
