import { useQuery } from '@tanstack/react-query';
import { routerNameQuery, userByEmailQuery } from '../api/named';
import type { ObjectType } from '../api/records';
import { useAccess } from '../app/access';
import { AppLink } from './app-link';

/** A person by their e-mail; by their name, where `named` says so and the viewer may read it. */
export function PersonLink({ email, named = false }: { email: string; named?: boolean }) {
  const may = useAccess()('directory:read');
  const { data } = useQuery({ ...userByEmailQuery(email), enabled: may && named });
  const label = data?.name ?? email;
  if (!may) return <span title={email}>{label}</span>;
  return (
    <AppLink to="/people/$person" params={{ person: data?.id ?? email }} title={email}>
      {label}
    </AppLink>
  );
}

export function RouterLink({ id }: { id: string }) {
  const { data } = useQuery(routerNameQuery(id));
  return (
    <AppLink to="/routers/$router" params={{ router: id }}>
      {data?.name ?? id.slice(-8)}
    </AppLink>
  );
}

interface RecordLinkProps {
  type: ObjectType;
  id: string;
  /** Left out where it is not known, or the record is archived: then the end of the id stands for it. */
  name?: string | undefined;
}

export function RecordLink({ type, id, name }: RecordLinkProps) {
  return (
    <AppLink to="/records/$type/$record" params={{ type, record: id }}>
      {name ?? `…${id.slice(-8)}`}
    </AppLink>
  );
}
