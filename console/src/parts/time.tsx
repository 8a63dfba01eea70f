import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useFormats } from '../i18n/format';

/** The time now, each half minute again. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface TimeProps {
  /** An instant, ISO 8601. */
  at: string;
  /** Of something to come, such as the end of the working day: says when, not how long ago. */
  soon?: boolean;
  /** False inside a link or button, which then has the focus. */
  focusable?: boolean;
}

/** A time as people say it; the exact one, with its zone, on hover and focus. */
export function Time({ at, soon = false, focusable = true }: TimeProps) {
  const { ago, exact, soon: when } = useFormats();
  const now = useNow();
  const date = new Date(at);
  return (
    <Tooltip label={exact(date)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} tabIndex={focusable ? 0 : undefined}>
        {soon ? when(date, now) : ago(date, now)}
      </time>
    </Tooltip>
  );
}
