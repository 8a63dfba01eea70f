import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsObject,
  IsUUID,
  Matches,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

/** The first word of every dump. It changes with the format. */
export const DUMP_FORMAT = 'fairlead-dump-2';

/** What PostgreSQL takes as a name. */
const NAME = /^[^\0]+$/;

/** A table or a sequence. */
class DumpedObject {
  /** Null for the schema that holds the table `migrations`. */
  @ValidateIf(({ schema }: DumpedObject) => schema !== null)
  @Matches(NAME)
  readonly schema!: string | null;

  @Matches(NAME)
  readonly name!: string;
}

class DumpedTable extends DumpedObject {
  @IsArray()
  @Matches(NAME, { each: true })
  readonly columns!: readonly string[];
}

class DumpedSequence extends DumpedObject {
  @Matches(/^-?\d{1,19}$/)
  readonly value!: string;

  @IsBoolean()
  readonly isCalled!: boolean;
}

class DumpedAccount {
  @IsUUID()
  readonly id!: string;

  @Matches(NAME)
  readonly slug!: string;
}

/**
 * The first line of a dump, as JSON. A dump is a gzip file of this line and, for each table, the rows in the
 * text format of COPY and a line with `\.` and their number. No row begins with `\.`.
 */
export class DumpHeader {
  @Matches(/^fairlead-dump-\d{1,9}$/)
  readonly format!: string;

  /** Version of Fairlead that made the dump. */
  @Matches(/^[\w.+-]{1,100}$/)
  readonly fairlead!: string;

  @Matches(/./)
  readonly createdAt!: string;

  /** The account whose rows alone it holds; undefined for those of the whole installation. */
  @ValidateIf(({ account }: DumpHeader) => account !== undefined)
  @IsObject()
  @ValidateNested()
  @Type(() => DumpedAccount)
  readonly account?: DumpedAccount | undefined;

  /** Names of the migrations that made its tables, in the order in which they were applied. */
  @ArrayNotEmpty()
  @Matches(/./, { each: true })
  readonly migrations!: readonly string[];

  /** In the order in which their rows follow and can be written. */
  @ArrayNotEmpty()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => DumpedTable)
  readonly tables!: readonly DumpedTable[];

  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => DumpedSequence)
  readonly sequences!: readonly DumpedSequence[];
}

/** The number of rows of a table. */
export interface TableRows {
  readonly table: string;
  readonly rows: number;
}

/** Names a table or sequence for a person. */
export function nameOf({ schema, name }: DumpedObject): string {
  return schema === null ? name : `${schema}.${name}`;
}
