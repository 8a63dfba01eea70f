import { IsArray, IsInt, IsISIN, Min } from 'class-validator';
import { HasDistinctItems, IsStorableText, MayBeAbsent, MayBeNull } from '../../validation/decorators.js';
import { dtoSchemas } from './managed-docs.js';

class Known {
  @IsStorableText(50)
  name!: string;

  @MayBeAbsent()
  @IsInt()
  @Min(1)
  size?: number;

  @MayBeNull()
  @IsArray()
  @HasDistinctItems()
  @IsInt({ each: true })
  @Min(0, { each: true })
  parts?: number[];
}

class Unknown {
  @IsISIN()
  paper!: string;
}

describe('the schemas of a DTO', () => {
  it('say what its rules do', () => {
    const { values, required } = dtoSchemas(Known, { name: 'Of it' });
    expect(required).toEqual(['name']);
    expect(values).toMatchObject({
      name: { type: 'string', minLength: 1, maxLength: 50, description: 'Of it' },
      size: { type: 'integer', minimum: 1 },
      parts: { type: ['array', 'null'], items: { type: 'integer', minimum: 0 } },
    });
  });

  it('are refused where it has a rule that none says', () => {
    expect(() => dtoSchemas(Unknown)).toThrow('No schema is known of the rule isIsin of Unknown.paper');
  });
});
