import { Anchor } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link to a page of the console, with its parameters checked. */
export const AppLink = createLink(Anchor<'a'>);
