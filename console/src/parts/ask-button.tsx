import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Confirm } from './confirm';

interface AskButtonProps {
  /** The verb of the button, and of the one that confirms. */
  action: string;
  /** What it is called where the verb alone does not say of what; left out, as it reads. */
  label?: string;
  /** What will happen, with the name of the thing: "Archive Inbound?" */
  title: string;
  children: ReactNode;
  /** Does it. The question stays, with what is wrong, where it fails. */
  act: () => Promise<unknown>;
  size?: ButtonProps['size'];
}

/** A button that asks before it does something that cannot be taken back at once. */
export function AskButton({ action, label, title, children, act, size = 'xs' }: AskButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: act, onSuccess: close });
  return (
    <>
      <Button
        size={size}
        variant="default"
        {...(label !== undefined && { 'aria-label': label })}
        onClick={() => {
          reset();
          open();
        }}
      >
        {action}
      </Button>
      <Confirm
        opened={opened}
        close={close}
        title={title}
        action={action}
        run={() => mutate()}
        running={isPending}
        error={error}
      >
        {children}
      </Confirm>
    </>
  );
}
