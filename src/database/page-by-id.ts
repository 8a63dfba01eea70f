import { MoreThan, type FindOptionsWhere, type Repository } from 'typeorm';

/** A row that a list can start behind. */
interface Listed {
  id: string;
}

/** The part of a list that is read. */
export interface IdRange {
  readonly limit: number;
  readonly offset: number;
  /** Id of the row behind which the page starts; without it, it starts at the offset. */
  readonly behind: string | undefined;
}

/** A page of rows in the order of their ids. */
export interface RowPage<Row> {
  readonly rows: Row[];
  /** Of all rows that match. */
  readonly count: number;
  /** Whether rows follow. */
  readonly more: boolean;
}

/** Returns one page of the rows that match, in the order of their ids, which is that of their creation. */
export async function pageById<Row extends Listed>(
  repository: Repository<Row>,
  where: FindOptionsWhere<Row>,
  { limit, offset, behind }: IdRange,
): Promise<RowPage<Row>> {
  const found = await repository.find({
    where: behind === undefined ? where : { ...where, id: MoreThan(behind) },
    order: { id: 'ASC' } as never,
    take: limit + 1,
    skip: offset,
  });
  return {
    rows: found.slice(0, limit),
    count: await repository.countBy(where),
    more: found.length > limit,
  };
}
